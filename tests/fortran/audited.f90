! Bugs of programs that audits find, seeded one by one into a program of two ranks.  Sentences count from 0, as C does.
program audited_test
  use, intrinsic :: iso_c_binding
  use hx
  use seeded
  implicit none
  include 'mpif.h'

  interface
    function setenv(name, value, replace) result(status) bind(c)
      import
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: replace
      integer(c_int) :: status
    end function
  end interface

  type(seeded_halo) :: halo
  type(seeded_fields) :: f
  integer(c_int) :: ierr
  integer :: rank, code

  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call begin('0')
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('never exchanged', 'has not run yet')
  call end_program()

  call begin('1')
  call run()
  call seeded_both_audit(halo, f%u, f%v)
  call seeded_both_blocks_audit(halo, [f])
  f%u(4, 6) = f%u(4, 6) + merge(0.25d0, 0d0, rank == 0)
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('computed after the exchange', 'is 305 at ghost point (3, -1) of block 0 and must be 305.25')
  call says('computed after the exchange', 'The halo is stale')
  call run()
  if (rank == 1) f%u(0, 3) = 12
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('wrote its own halo', 'audit on rank 1 as called: field u (line 4) is 12 at ghost point (-1, 2) of block 1')
  call says('wrote its own halo', 'this rank has written to the ghost point since')
  call run()
  call one_row_too_far(f%v)
  call seeded_both_blocks_audit(halo, [f], ierr)
  call says('one row too far', 'field v (line 4)')
  call says('one row too far', 'this rank has written to the ghost point since')
  call run()
  if (rank == 1) then
    call seeded_both_audit(halo, f%v, f%u, ierr)
  else
    call seeded_both_audit(halo, f%u, f%v, ierr)
  end if
  call says('arguments changed places on one rank', 'was given another array for it on rank 1 only')
  call end_program()

  call begin('1')
  call seeded_both_start(halo, f%u, f%v)
  if (rank == 0) f%u(4, 3) = 77
  call seeded_both_finish(halo, f%u, f%v, ierr)
  if (rank == 0) call says('wrote too early', 'owned point (3, 2) of block 0, which is (3, 2) of the grid, was written')
  if (rank == 0) call says('wrote too early', 'between start and finish: it was 302 and is 77')
  call end_program()

  call seeded_both_audit(halo, f%u, f%v, ierr)
  if (ierr /= hx_err_state .or. index(hx_last_error(), 'seeded_both_audit: halo was not created') /= 1) &
      print *, 'FAIL no handle', ierr, hx_last_error()
  call MPI_Finalize(code)

contains

  ! Two ranks beside each other along x, 4 x 6 cells each, everything periodic.
  subroutine begin(audited)
    character(*), intent(in) :: audited
    type(hx_partition) :: grid
    type(hx_part) :: mine
    type(hx_options) :: options
    integer :: i, j

    if (setenv('HX_AUDIT' // c_null_char, audited // c_null_char, 1_c_int) /= 0) print *, 'FAIL setenv'
    grid = seeded_partition(8, 6)
    grid%ranks(1:2) = [2, 1]
    call hx_decompose(MPI_COMM_WORLD, grid, mine)
    call hx_set_option(options, 'transport', 'p2p')
    call hx_set_option(options, 'schedule', 'one-phase')
    call seeded_create(MPI_COMM_WORLD, seeded_shape_dense(mine), halo, options)
    call seeded_alloc(halo, f)
    do j = 1, 6
      do i = 1, 4
        f%u(i, j) = 100 * (mine%first(1) + i - 1) + j - 1
        f%v(i, j) = -1 - f%u(i, j)
      end do
    end do
  end subroutine

  subroutine end_program()
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call seeded_destroy(halo)
  end subroutine

  subroutine run()
    call seeded_both(halo, f%u, f%v)
  end subroutine

  ! A loop over owned points that begins at 0.
  subroutine one_row_too_far(v)
    real(c_double), intent(inout) :: v(-1:, -1:)
    integer :: j

    do j = 0, 6
      v(1:4, j) = 2 * v(1:4, j)
      v(1:4, j) = v(1:4, j) / merge(1, 2, j == 0)
    end do
  end subroutine

  subroutine says(bug, words)
    character(*), intent(in) :: bug, words

    if (ierr /= hx_err_mismatch) print *, 'FAIL ', bug, ': not found', ierr
    if (index(hx_last_error(), words) == 0) print *, 'FAIL ', bug, ': no "', words, '" in: ', hx_last_error()
  end subroutine
end program
