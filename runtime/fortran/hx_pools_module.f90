! Pools: a stock of buffers that come and go, for messages of handles and for you.  See hx/pool.h, whose rules hold here.
!
!     type(hx_pool) :: pool
!     type(hx_options) :: options
!     real(c_double), pointer :: buffer(:,:)
!     call hx_pool_create(pool)
!     options%pool = pool                              ! message buffers of handles come from it and go back to it
!     call hx_pool_acquire(pool, [n, m], buffer)       ! and so do yours
!     call hx_pool_release(pool, buffer)
!     call hx_pool_destroy(pool)                       ! after the handles
!
! Every procedure has an optional last argument ierr, as those of the module hx.
module hx_pools
  use, intrinsic :: iso_c_binding
  use hx
  implicit none
  private

  ! Bytes are those of size classes: a fifth more than was asked for at most, and 256 at least.
  type, bind(c), public :: hx_pool_counters
    integer(c_int64_t) :: acquired = 0                ! buffers, since the pool was made
    integer(c_int64_t) :: reused = 0                  ! of these, had been released before
    integer(c_int64_t) :: held = 0                    ! buffers that are in use
    integer(c_size_t) :: in_use = 0                   ! bytes
    integer(c_size_t) :: idle = 0                     ! bytes of released buffers that are kept
    integer(c_size_t) :: high_water = 0               ! the most that in_use has been
  end type

  public :: hx_pool
  public :: hx_pool_create, hx_pool_destroy, hx_pool_acquire, hx_pool_release, hx_pool_offset, hx_pool_trim, hx_pool_count

  interface
    ! check: 1 finds out who writes to a buffer after its release.  window: buffers lie in what this rank holds of it.
    subroutine hx_pool_create(pool, check, window, ierr) bind(c, name="hx_f_pool_create")
      import
      type(hx_pool), intent(inout) :: pool
      integer(c_int), intent(in), optional :: check
      type(hx_window), intent(in), optional :: window
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Refused while buffers are in use, by you or by a handle.
    subroutine hx_pool_destroy(pool, ierr) bind(c, name="hx_f_pool_destroy")
      import
      type(hx_pool), intent(inout) :: pool
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! How many bytes a buffer lies behind the beginning of what this rank holds of the window.
    subroutine hx_pool_offset(pool, buffer, offset, ierr) bind(c, name="hx_f_pool_offset")
      import
      type(hx_pool), intent(in) :: pool
      type(*), intent(in), target :: buffer(..)
      integer(c_size_t), intent(out) :: offset
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Gives idle buffers back to the system, or to the window.
    subroutine hx_pool_trim(pool, ierr) bind(c, name="hx_f_pool_trim")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_pool_count(pool, counters, ierr) bind(c, name="hx_f_pool_count")
      import
      type(hx_pool), intent(in) :: pool
      type(hx_pool_counters), intent(out) :: counters
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

  ! A buffer as a pointer with these extents; lower: its bounds, 1 without it.  What it holds is undefined.  It begins on a cache
  ! line and shares none.  null() where this fails.
  !
  ! For other types it is a type(c_ptr), of so many bytes.
  interface hx_pool_acquire
    subroutine acquire_float(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_float")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      real(c_float), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_double(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_double")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      real(c_double), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_int8(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_int8")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      integer(c_int8_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_int16(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_int16")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      integer(c_int16_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_int32(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_int32")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      integer(c_int32_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_int64(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_int64")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      integer(c_int64_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_bool(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_bool")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      logical(c_bool), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_float_complex(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_float_complex")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      complex(c_float_complex), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_double_complex(pool, extent, buffer, lower, ierr) &
        bind(c, name="hx_f_pool_acquire_double_complex")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int), intent(in) :: extent(:)
      complex(c_double_complex), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine acquire_any(pool, bytes, buffer, ierr) &
        bind(c, name="hx_f_pool_acquire_any")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: buffer
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

  ! Gives a buffer back; the pointer becomes null().  Of null() nothing is done.
  interface hx_pool_release
    subroutine release_float(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_float")
      import
      type(hx_pool), intent(in) :: pool
      real(c_float), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_double(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_double")
      import
      type(hx_pool), intent(in) :: pool
      real(c_double), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_int8(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_int8")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int8_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_int16(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_int16")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int16_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_int32(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_int32")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int32_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_int64(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_int64")
      import
      type(hx_pool), intent(in) :: pool
      integer(c_int64_t), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_bool(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_bool")
      import
      type(hx_pool), intent(in) :: pool
      logical(c_bool), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_float_complex(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_float_complex")
      import
      type(hx_pool), intent(in) :: pool
      complex(c_float_complex), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_double_complex(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_double_complex")
      import
      type(hx_pool), intent(in) :: pool
      complex(c_double_complex), pointer, intent(inout) :: buffer(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine release_any(pool, buffer, ierr) &
        bind(c, name="hx_f_pool_release_any")
      import
      type(hx_pool), intent(in) :: pool
      type(c_ptr), intent(inout) :: buffer
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

end module
