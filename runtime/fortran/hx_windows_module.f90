! Windows: memory that other ranks reach, by pointers on their node and by operations of MPI from anywhere.  See hx/window.h, whose
! rules hold here.
!
! Ranks count from 0, as in MPI, and elements of a window from 1.  Every procedure has an optional last argument ierr, as those of
! the module hx.  Buffers of put, get and their like are arrays of any type without gaps; they are read or written until the epoch
! ends, so declare them asynchronous.
module hx_windows
  use, intrinsic :: iso_c_binding
  use hx
  implicit none
  private

  ! Who reaches a window, and how targets are counted: ranks of the node, ranks, nodes in the order of their leaders.
  integer(c_int), parameter, public :: hx_window_node = 1, hx_window_peers = 2, hx_window_leaders = 4

  ! Whose memory it is.
  integer(c_int), parameter, public :: hx_window_auto = 0, hx_window_shared = 1, hx_window_parts = 2, hx_window_private = 3
  integer(c_int), parameter, public :: hx_window_user = 4, hx_window_dynamic = 5

  ! Who writes a line when a window is made or freed.
  integer(c_int), parameter, public :: hx_window_log_none = 0, hx_window_log_root = 1, hx_window_log_every = 2

  ! A target of flush: all of them.
  integer(c_int), parameter, public :: hx_window_all = -1

  ! What create is to make.
  type, bind(c), public :: hx_window_request
    integer(c_int) :: memory = hx_window_auto
    integer(c_int) :: ways = hx_window_peers          ! a sum
    integer(c_size_t) :: element = 1                  ! bytes of an element
    integer(c_int) :: axes = 1                        ! 0 to 4
    integer(c_int64_t) :: extent(hx_max_axes) = 0     ! elements along each axis, the fastest first
    type(c_ptr) :: base = c_null_ptr                  ! c_loc of memory of yours, for hx_window_user
    integer(c_int) :: check = 0                       ! 1: complain of epochs and conflicts
    integer(c_int) :: log = hx_window_log_none
    type(c_funptr) :: log_line = c_null_funptr        ! c_funloc of a procedure with bind(c), as hx_log_fn of hx/hx.h
    type(c_ptr) :: log_context = c_null_ptr
    real(c_double) :: deadline = 0                    ! seconds that create and free may wait; 0: for ever
  end type

  ! What a window is, on this rank.
  type, bind(c), public :: hx_window_facts
    integer(c_int) :: ways = 0
    integer(c_int) :: memory = 0                      ! never hx_window_auto
    type(c_ptr), private :: why = c_null_ptr          ! see hx_window_why
    integer(c_size_t) :: element = 0
    integer(c_int) :: axes = 0
    integer(c_int64_t) :: extent(hx_max_axes) = 0
    integer(c_int64_t) :: elements = 0
    integer(c_size_t) :: bytes = 0
    integer(c_int) :: node_rank = 0, node_ranks = 0
    integer(c_int) :: node = -1, nodes = -1           ! on leaders
  end type

  ! Elements that a target exposes.
  type, bind(c), public :: hx_window_part
    integer(c_int) :: way = hx_window_peers
    integer(c_int) :: target = 0
    integer(c_int64_t) :: at = 1                      ! the first; of hx_window_dynamic an address
    integer(c_int64_t) :: count = -1                  ! -1: as many as the buffer has
  end type

  public :: hx_window
  public :: hx_window_create, hx_window_free, hx_window_query, hx_window_why, hx_window_pointer
  public :: hx_window_attach, hx_window_detach, hx_window_address
  public :: hx_window_put, hx_window_get, hx_window_accumulate, hx_window_get_accumulate, hx_window_fetch_and_op
  public :: hx_window_fence, hx_window_post, hx_window_start, hx_window_complete, hx_window_wait, hx_window_test
  public :: hx_window_lock, hx_window_unlock, hx_window_lock_all, hx_window_unlock_all
  public :: hx_window_flush, hx_window_flush_local, hx_window_sync

  interface
    ! Collective.  name: for errors and log lines.
    subroutine hx_window_create(comm, request, window, name, ierr) bind(c, name="hx_f_window_create")
      import
      type(*), intent(in) :: comm(..)
      type(hx_window_request), intent(in) :: request
      type(hx_window), intent(inout) :: window
      character(kind=c_char, len=*), intent(in), optional :: name
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  Refused where a handle knows the window (NAME_register).
    subroutine hx_window_free(window, ierr) bind(c, name="hx_f_window_free")
      import
      type(hx_window), intent(inout) :: window
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Of no window all is 0.
    subroutine hx_window_query(window, facts) bind(c, name="hx_f_window_query")
      import
      type(hx_window), intent(in) :: window
      type(hx_window_facts), intent(out) :: facts
    end subroutine

    ! ---- memory that is attached to windows of hx_window_dynamic ----

    subroutine hx_window_attach(window, array, ierr) bind(c, name="hx_f_window_attach")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(inout), asynchronous, target :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_detach(window, array, ierr) bind(c, name="hx_f_window_detach")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(inout), asynchronous, target :: array(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! What `at` of a part is for its first byte.  Tell peers by a message.
    function hx_window_address(array) result(address) bind(c, name="hx_f_window_address")
      import
      type(*), intent(in), asynchronous, target :: array(..)
      integer(c_int64_t) :: address
    end function

    ! ---- access ----
    !
    ! type, op, request: integers of MPI, or type(MPI_Datatype), type(MPI_Op), type(MPI_Request).  With a request, which you
    ! complete, the buffer is yours again behind it; in epochs of lock and lock_all only.

    subroutine hx_window_put(window, from, part, request, ierr) &
        bind(c, name="hx_f_window_put")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(in), asynchronous, target :: from(..)
      type(hx_window_part), intent(in) :: part
      type(*), intent(inout), optional :: request(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_get(window, into, part, request, ierr) &
        bind(c, name="hx_f_window_get")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(inout), asynchronous, target :: into(..)
      type(hx_window_part), intent(in) :: part
      type(*), intent(inout), optional :: request(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_accumulate(window, from, part, type, op, request, ierr) &
        bind(c, name="hx_f_window_accumulate")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(in), asynchronous, target :: from(..)
      type(hx_window_part), intent(in) :: part
      type(*), intent(in) :: type(..), op(..)
      type(*), intent(inout), optional :: request(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! into: what the target held before.
    subroutine hx_window_get_accumulate(window, from, into, part, type, op, request, ierr) &
        bind(c, name="hx_f_window_get_accumulate")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(in), asynchronous, target :: from(..)
      type(*), intent(inout), asynchronous, target :: into(..)
      type(hx_window_part), intent(in) :: part
      type(*), intent(in) :: type(..), op(..)
      type(*), intent(inout), optional :: request(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! The same for one element.
    subroutine hx_window_fetch_and_op(window, from, into, part, type, op, ierr) &
        bind(c, name="hx_f_window_fetch_and_op")
      import
      type(hx_window), intent(in) :: window
      type(*), intent(in), asynchronous, target :: from(..)
      type(*), intent(inout), asynchronous, target :: into(..)
      type(hx_window_part), intent(in) :: part
      type(*), intent(in) :: type(..), op(..)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! ---- epochs ----
    !
    ! way: hx_window_node, hx_window_peers or hx_window_leaders.  assertion: MPI_MODE_...; 0 without it.

    ! Collective over the ranks of the way.
    subroutine hx_window_fence(window, way, assertion, ierr) &
        bind(c, name="hx_f_window_fence")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(in), optional :: assertion
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Exposes this rank to origins.
    subroutine hx_window_post(window, way, origin, assertion, ierr) &
        bind(c, name="hx_f_window_post")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(in) :: origin(:)
      integer(c_int), intent(in), optional :: assertion
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Opens an epoch to targets, which complete ends.
    subroutine hx_window_start(window, way, target, assertion, ierr) &
        bind(c, name="hx_f_window_start")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(in) :: target(:)
      integer(c_int), intent(in), optional :: assertion
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_complete(window, way, ierr) &
        bind(c, name="hx_f_window_complete")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Ends what post did.
    subroutine hx_window_wait(window, way, ierr) &
        bind(c, name="hx_f_window_wait")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_unlock(window, way, target, ierr) &
        bind(c, name="hx_f_window_unlock")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way, target
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_lock_all(window, way, assertion, ierr) &
        bind(c, name="hx_f_window_lock_all")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(in), optional :: assertion
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_window_unlock_all(window, way, ierr) &
        bind(c, name="hx_f_window_unlock_all")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Inside lock or lock_all: accesses to this target, or to hx_window_all, are complete.
    subroutine hx_window_flush(window, way, target, ierr) &
        bind(c, name="hx_f_window_flush")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way, target
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Their buffers are yours again, no more.
    subroutine hx_window_flush_local(window, way, target, ierr) &
        bind(c, name="hx_f_window_flush_local")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way, target
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Inside lock or lock_all: stores before it come before loads after it, as seen by ranks that do the same.
    subroutine hx_window_sync(window, way, ierr) &
        bind(c, name="hx_f_window_sync")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! ---- for the procedures below ----

    function c_lock(window, way, target, exclusive, assertion) result(status) bind(c, name="hx_f_window_lock")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way, target, exclusive, assertion
      integer(c_int) :: status
    end function

    function c_test(window, way, done) result(status) bind(c, name="hx_f_window_test")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: way
      integer(c_int), intent(out) :: done
      integer(c_int) :: status
    end function
  end interface

  ! The memory that a rank of this node holds, as a pointer; lower: its bounds, 1 without it.  An array of rank 1 has all elements,
  ! one of as many dimensions as the window has axes their extents.  null(): that rank holds none.  Valid until the window is freed.
  !
  ! For other types it is a type(c_ptr), with the number of elements.
  interface hx_window_pointer
    subroutine window_pointer_float(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_float")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      real(c_float), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_double(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_double")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      real(c_double), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_int8(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_int8")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      integer(c_int8_t), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_int16(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_int16")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      integer(c_int16_t), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_int32(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_int32")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      integer(c_int32_t), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_int64(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_int64")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      integer(c_int64_t), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_bool(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_bool")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      logical(c_bool), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_float_complex(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_float_complex")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      complex(c_float_complex), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_double_complex(window, node_rank, array, lower, ierr) &
        bind(c, name="hx_f_window_pointer_double_complex")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      complex(c_double_complex), pointer, intent(inout) :: array(..)
      integer(c_int), intent(in), optional :: lower(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine window_pointer_any(window, node_rank, memory, elements, ierr) &
        bind(c, name="hx_f_window_pointer_any")
      import
      type(hx_window), intent(in) :: window
      integer(c_int), value :: node_rank
      type(c_ptr), intent(out) :: memory
      integer(c_int64_t), intent(out) :: elements
      integer(c_int), intent(out), optional :: ierr
    end subroutine
  end interface

contains

  ! Why hx_window_auto chose that memory; empty if it did not.  While the window is there.
  function hx_window_why(facts) result(words)
    type(hx_window_facts), intent(in) :: facts
    character(:), allocatable :: words

    if (c_associated(facts%why)) then
      words = hx_f_text(facts%why)
    else
      words = ''
    end if
  end function

  ! Opens an epoch to a target, alone or beside others.
  subroutine hx_window_lock(window, way, target, exclusive, assertion, ierr)
    type(hx_window), intent(in) :: window
    integer(c_int), intent(in) :: way, target
    logical, intent(in) :: exclusive
    integer(c_int), intent(in), optional :: assertion
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: asserted

    asserted = 0
    if (present(assertion)) asserted = assertion
    call hx_f_answer(c_lock(window, way, target, merge(1_c_int, 0_c_int, exclusive), asserted), ierr)
  end subroutine

  ! Whether wait would not wait; then the same is done.
  subroutine hx_window_test(window, way, done, ierr)
    type(hx_window), intent(in) :: window
    integer(c_int), intent(in) :: way
    logical, intent(out) :: done
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: number, status

    status = c_test(window, way, number)
    done = number /= 0
    call hx_f_answer(status, ierr)
  end subroutine

end module
