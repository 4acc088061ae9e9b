! Arrays that the ranks of a node share, and broadcasts: see hx/shared_array.h.
!
!     type(hx_shared_arrays) :: tables
!     real(c_double), allocatable :: depth(:,:)            ! rank 0 has it
!     real(c_double), pointer :: shared(:,:) => null()
!     call hx_shared_arrays_create(comm, tables)
!     call hx_shared_array(tables, 0, depth, shared)       ! all ranks read it, and nobody writes
!     call hx_shared_arrays_destroy(tables)                ! before MPI_Finalize
!
! Ranks count from 0, as in MPI.  Every procedure has an optional last argument ierr, as those of the module hx.
module hx_tables
  use, intrinsic :: iso_c_binding
  use hx
  implicit none
  private

  ! What access of hx_shared_array may be: pages that nobody may write, or all ranks.
  integer(c_int), parameter, public :: hx_read_only = 0, hx_writable = 1

  ! A group of arrays.
  type, bind(c), public :: hx_shared_arrays
    private
    type(c_ptr) :: group = c_null_ptr
  end type

  public :: hx_shared_arrays_create, hx_shared_arrays_sync, hx_shared_arrays_release, hx_shared_arrays_destroy
  public :: hx_shared_array, hx_broadcast

  interface
    ! Collective.  An empty group.  deadline: seconds that calls for it may wait for other ranks; without it for ever.
    subroutine hx_shared_arrays_create(comm, group, deadline, ierr) bind(c, name="hx_f_shared_arrays_create")
      import
      type(*), intent(in) :: comm(..)
      type(hx_shared_arrays), intent(inout) :: group
      real(c_double), intent(in), optional :: deadline
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  What a rank wrote to writable arrays before is what the ranks of its node read after.
    subroutine hx_shared_arrays_sync(group, ierr) bind(c, name="hx_f_shared_arrays_sync")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  Gives all arrays back; pointers to them point nowhere then.
    subroutine hx_shared_arrays_release(group, ierr) bind(c, name="hx_f_shared_arrays_release")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  The same, and frees the group.
    subroutine hx_shared_arrays_destroy(group, ierr) bind(c, name="hx_f_shared_arrays_destroy")
      import
      type(hx_shared_arrays), intent(inout) :: group
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

  ! Collective.  given: the array, on the root; elsewhere it is not looked at, and need not be allocated.  Where the root has none
  ! all get null().  shared: becomes the array, in memory that the node shares; lower: its bounds, 1 without it.  access: hx_read_only
  ! without it, and then a rank that writes to it is killed by SIGSEGV; the same on all ranks.
  !
  ! Of derived types, and kinds that are not here, shared is a type(c_ptr), for c_f_pointer.
  interface hx_shared_array
    subroutine shared_array_float(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_float")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      real(c_float), intent(in), optional :: given(..)
      real(c_float), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_double(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_double")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      real(c_double), intent(in), optional :: given(..)
      real(c_double), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_int8(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_int8")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      integer(c_int8_t), intent(in), optional :: given(..)
      integer(c_int8_t), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_int16(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_int16")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      integer(c_int16_t), intent(in), optional :: given(..)
      integer(c_int16_t), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_int32(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_int32")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      integer(c_int32_t), intent(in), optional :: given(..)
      integer(c_int32_t), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_int64(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_int64")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      integer(c_int64_t), intent(in), optional :: given(..)
      integer(c_int64_t), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_bool(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_bool")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      logical(c_bool), intent(in), optional :: given(..)
      logical(c_bool), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_float_complex(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_float_complex")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      complex(c_float_complex), intent(in), optional :: given(..)
      complex(c_float_complex), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_double_complex(group, root, given, shared, lower, access, ierr) &
        bind(c, name="hx_f_shared_array_double_complex")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      complex(c_double_complex), intent(in), optional :: given(..)
      complex(c_double_complex), pointer, intent(inout) :: shared(..)
      integer(c_int), intent(in), optional :: lower(:), access
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine shared_array_any(group, root, given, shared, access, ierr) &
        bind(c, name="hx_f_shared_array_any")
      import
      type(hx_shared_arrays), intent(in) :: group
      integer(c_int), value :: root
      type(*), intent(in), optional :: given(..)
      type(c_ptr), intent(inout) :: shared
      integer(c_int), intent(in), optional :: access
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

  ! Collective.  A copy for each rank: array is that of the root; on other ranks it becomes one with the same bounds.
  interface hx_broadcast
    subroutine broadcast_float(comm, root, array, ierr) bind(c, name="hx_f_broadcast_float")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      real(c_float), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_double(comm, root, array, ierr) bind(c, name="hx_f_broadcast_double")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      real(c_double), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_int8(comm, root, array, ierr) bind(c, name="hx_f_broadcast_int8")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      integer(c_int8_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_int16(comm, root, array, ierr) bind(c, name="hx_f_broadcast_int16")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      integer(c_int16_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_int32(comm, root, array, ierr) bind(c, name="hx_f_broadcast_int32")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      integer(c_int32_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_int64(comm, root, array, ierr) bind(c, name="hx_f_broadcast_int64")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      integer(c_int64_t), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_bool(comm, root, array, ierr) bind(c, name="hx_f_broadcast_bool")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      logical(c_bool), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_float_complex(comm, root, array, ierr) bind(c, name="hx_f_broadcast_float_complex")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      complex(c_float_complex), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine broadcast_double_complex(comm, root, array, ierr) &
        bind(c, name="hx_f_broadcast_double_complex")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int), value :: root
      complex(c_double_complex), allocatable, intent(inout) :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

end module
