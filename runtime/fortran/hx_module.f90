! What all modules that halogen emits for Fortran share.
!
! Your build compiles this file once, and hx_fortran.c beside it.  Indices and numbers count from 1, but for what the members of
! hx_partition and hx_part hold, which is as in C: part%first(a) + i, with i from 1, is the global index of an owned point.
!
! Every procedure has an optional last argument ierr.  It becomes hx_ok, or another status, and hx_last_error() is then the
! sentence.  Where it is missing, a failure ends the program with that sentence.
module hx
  use, intrinsic :: iso_c_binding
  implicit none
  private

  ! Stops the compiler where its flags change what the kinds of C are, as -freal-4-real-8 does.
  integer, parameter :: c_float_has_4_bytes = 1 / merge(1, 0, storage_size(1.0_c_float) == 32)
  integer, parameter :: c_double_has_8_bytes = 1 / merge(1, 0, storage_size(1.0_c_double) == 64)

  integer, parameter, public :: hx_max_axes = 4 * c_float_has_4_bytes * c_double_has_8_bytes

  ! Statuses, as in hx/hx.h.
  integer(c_int), parameter, public :: hx_ok = 0
  integer(c_int), parameter, public :: hx_err_argument = 1
  integer(c_int), parameter, public :: hx_err_state = 2
  integer(c_int), parameter, public :: hx_err_partition = 3
  integer(c_int), parameter, public :: hx_err_mismatch = 4
  integer(c_int), parameter, public :: hx_err_memory = 5
  integer(c_int), parameter, public :: hx_err_mpi = 6
  integer(c_int), parameter, public :: hx_err_deadline = 7
  integer(c_int), parameter, public :: hx_err_limit = 8
  integer(c_int), parameter, public :: hx_err_internal = 9
  integer(c_int), parameter, public :: hx_err_device = 10

  ! How the cells of a tile are divided: see hx/hx.h.
  type, bind(c), public :: hx_partition
    integer(c_int) :: axes = 0
    integer(c_int) :: cells(hx_max_axes) = 0          ! of the whole tile
    integer(c_int) :: ranks(hx_max_axes) = 0          ! parts along each axis; 0: hx_decompose chooses
    integer(c_int) :: first_fastest = 0
    type(c_ptr) :: cuts(hx_max_axes) = c_null_ptr     ! c_loc of integer(c_int) cut(ranks + 1), from 0 to cells
    integer(c_int) :: periodic(hx_max_axes) = 0
    real(c_double) :: face_bytes(hx_max_axes) = 0
  end type

  ! One part of a partition: the cells of one block.
  type, bind(c), public :: hx_part
    type(hx_partition) :: partition
    integer(c_int) :: tile = 0                        ! from 0
    integer(c_int) :: index(hx_max_axes) = 0          ! which part along each axis, from 0
    integer(c_int) :: first(hx_max_axes) = 0          ! its first cell, from 0
    integer(c_int) :: n(hx_max_axes) = 0              ! its cells along each axis
  end type

  public :: hx_decompose, hx_last_error
  ! For emitted modules.
  public :: hx_f_answer, hx_f_alloc, hx_f_free

  interface
    ! Divides a tile among all ranks of a communicator, one part each.  comm: an integer, or type(MPI_Comm).
    subroutine hx_decompose(comm, request, mine, ierr) bind(c, name="hx_f_decompose")
      import
      type(*), intent(in) :: comm(..)
      type(hx_partition), intent(in) :: request
      type(hx_part), intent(out) :: mine
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! ---- for emitted modules; applications call nothing from here on ----

    subroutine hx_f_answer(status, ierr) bind(c)
      import
      integer(c_int), value :: status
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    function hx_f_alloc(halo, call, blocks) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: blocks
      integer(c_int) :: status
    end function

    function hx_f_free(halo, call, blocks) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: blocks
      integer(c_int) :: status
    end function

    function c_last_error() result(sentence) bind(c, name="hx_last_error")
      import
      type(c_ptr) :: sentence
    end function

    function c_strlen(text) result(length) bind(c, name="strlen")
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! What went wrong in the last call that failed; empty if none did.
  function hx_last_error() result(sentence)
    character(:), allocatable :: sentence
    character(kind=c_char), pointer :: bytes(:)
    type(c_ptr) :: text
    integer :: i

    text = c_last_error()
    call c_f_pointer(text, bytes, [c_strlen(text)])
    allocate (character(size(bytes)) :: sentence)
    do i = 1, size(bytes)
      sentence(i:i) = bytes(i)
    end do
  end function

  ! Where a call fails that was given no ierr.
  subroutine hx_f_stop() bind(c)
    error stop hx_last_error()
  end subroutine

end module
