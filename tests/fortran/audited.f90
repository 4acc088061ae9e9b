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
  type(seeded_fields) :: f, other
  real(c_double), volatile :: shows
  integer(c_int) :: ierr
  integer :: rank, code, step

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

  call begin('0')
  call seeded_sides(halo, f%u)
  call seeded_sides_audit(halo, f%u)
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('exchanged another', 'at ghost point (0, -2)')
  call says('exchanged another', 'has not run yet')
  call run()
  f%u(1, 4) = f%u(1, 4) + merge(7d0, 0d0, rank == 1)
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('changed without record', 'is 403 at ghost point (4, 3) of block 0 and must be 410, as rank 1 has it')
  call says('changed without record', 'last ran as run 1; with HX_AUDIT=1 this says which')
  call end_program()

  call begin('1')
  do step = 0, 3
    f%u(1:4, 1:6) = f%u(1:4, 1:6) + 0.5d0
    if (mod(step, 2) == 0) call run()
  end do
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('exchanged every other step', "The halo is stale: the owner's value has changed since run 2")
  call end_program()

  call begin('1')
  call run()
  f%u(1:4, 0) = f%u(1:4, 1)
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('wrapped by hand', 'is 0 at ghost point (0, -1) of block 0 and must be 5')
  call says('wrapped by hand', 'So are 3 more points')
  call run()
  if (rank == 1) f%u(2, 3) = f%u(2, 3) + 1
  if (rank == 0) f%u(6, 3) = f%u(6, 3) - 1
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('wrote both', 'is 501 at ghost point (5, 2) of block 0 and must be 503, as rank 1 has it')
  call says('wrote both', 'Both were 502 after run 2')
  call seeded_numbers(halo, f%n)
  if (rank == 0) f%n(3, 5, 2) = -5
  call seeded_numbers_audit(halo, f%n, ierr)
  call says('one of three components', 'component 2 of field n (line 5) is -5 at ghost point (4, 1)')
  if (rank == 1) f%w(1, 3, 2) = 0.5
  call seeded_apart(halo, f%w)
  if (rank == 0) f%w(5, 3, 2) = 3
  call seeded_apart_audit(halo, f%w, ierr)
  call says('one component apart', 'component 1 of field w (line 6) is 3 at ghost point (4, 2) of block 0 and must be 0.5')
  call seeded_alloc(halo, other)
  call run()
  if (rank == 1) then
    call seeded_both_audit(halo, other%u, f%v, ierr)
  else
    call seeded_both_audit(halo, f%u, f%v, ierr)
  end if
  call says('swapped on one rank', 'was given another array for it on rank 1 only')
  call seeded_both_start(halo, f%u, f%v)
  f%u(2, 7) = 1
  call seeded_both_finish(halo, f%u, f%v, ierr)
  call says('wrote ghost points too early', 'is 1 at ghost point (1, 6)')
  call end_program()

  call begin('0')
  call seeded_alloc(halo, other)
  call run()
  other%u = f%u
  call seeded_both_audit(halo, other%u, f%v, ierr)
  other%u(1, 1) = -1
  call seeded_both_audit(halo, other%u, f%v, ierr)
  call says('swapped and not exchanged', 'this one has not been exchanged')
  call seeded_both(halo, f%u(0:, :), f%v, ierr)
  if (ierr /= hx_err_argument) print *, 'FAIL an array without the halo: not refused', ierr
  call end_program()

  call poison('1')
  call begin('0')
  call poison('0')
  call seeded_sides(halo, f%u)
  if (f%u(0, 3) /= f%u(0, 3) .or. f%u(0, 0) == f%u(0, 0) .or. f%u(-1, 3) == f%u(-1, 3)) &
      print *, 'FAIL a side, a corner, the second layer', f%u(0, 3), f%u(0, 0), f%u(-1, 3)
  call seeded_both_audit(halo, f%u, f%v, ierr)
  call says('read what nobody fills', 'is the poison of HX_POISON at ghost point')
  call end_program()

  call poison('1')
  call begin('1')
  call poison('0')
  call run()
  call seeded_both_start(halo, f%u, f%v)
  shows = f%u(0, 3)
  call seeded_both_finish(halo, f%u, f%v)
  if (shows == shows) print *, 'FAIL a ghost point before finish is', shows
  call seeded_both_audit(halo, f%u, f%v)
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
        f%n(:, i, j) = int(10 * f%u(i, j)) + [0, 1, 2]
      end do
    end do
  end subroutine

  subroutine poison(wanted)
    character(*), intent(in) :: wanted

    if (setenv('HX_POISON' // c_null_char, wanted // c_null_char, 1_c_int) /= 0) print *, 'FAIL setenv'
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
