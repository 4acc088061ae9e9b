! Bugs of programs that audits find, seeded one by one into programs of two ranks.  Sentences count from 0, as C does.
! Rows that are not as far apart as create was told, and arrays too small, are refused: a descriptor tells.
module too_far
  use, intrinsic :: iso_c_binding
  use hx
  use walled
  implicit none

  ! The procedure for walls fills a point beside them, too, which the exchange has filled.
  type, extends(hx_walls) :: far_walls
    integer :: rank = 0
  contains
    procedure :: fill
  end type

contains

  subroutine fill(walls, wall)
    class(far_walls), intent(inout) :: walls
    type(hx_wall), intent(in) :: wall
    real(c_double), pointer :: t(:,:)

    t => null()
    call walled_wall_t(wall, t)
    t(wall%lo(1):wall%hi(1), wall%lo(2):wall%hi(2)) = -1
    if (walls%rank == 1 .and. wall%side == 1) t(0, 2) = -1
  end subroutine

end module

program audited_test
  use, intrinsic :: iso_c_binding
  use hx
  use seeded
  use totals
  use walled
  use too_far
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
  type(walled_halo) :: tank
  type(walled_fields) :: heat
  type(totals_halo) :: plasma
  type(totals_fields) :: sums
  real(c_double), volatile :: shows
  real(c_double) :: memory(200) = 0, wide(-1:8, -1:8) = 0
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

  call begin('1')
  call seeded_alloc(halo, other)
  do step = 0, 4
    ! From step to step two sets change places; on rank 1 once not.  Each exchange is right, and a line tells of it.
    if (modulo(merge(step + 1, step, rank == 1 .and. step >= 3), 2) == 0) then
      call seeded_both(halo, f%u, f%v)
    else
      call seeded_both(halo, other%u, f%v)
    end if
    if ((step >= 3) .neqv. (index(hx_last_error(), 'Were arrays swapped on one rank only?') > 0)) &
        print *, 'FAIL forgot to swap', step, hx_last_error()
  end do
  call seeded_both_start(halo, f%u, f%v)
  call seeded_both_audit(halo, f%u, f%v, ierr)
  if (ierr /= hx_err_state .or. index(hx_last_error(), 'is under way') == 0) print *, 'FAIL asked too early', ierr
  call seeded_both_finish(halo, f%u, f%v)
  call seeded_both(halo, wide(:6, :), f%v, ierr)
  call refused('rows of a longer array', 'elements of u are 80 bytes apart along y, but the shape has 64')
  call in_one_array(memory(1), memory(41))
  call end_program()

  call walls_and_images()
  call walls_of_a_procedure()
  call sums_too_early()
  call sums_too_late()
  call points_in_common()
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

  ! Arrays of a length that the program counts by itself, without all of the halo.
  subroutine in_one_array(u, v)
    real(c_double), intent(inout) :: u(-1:6, -1:8), v(-1:6, -1:8)

    call seeded_both(halo, u, v, ierr)
    call refused('arrays that overlap', 'for field v of block 0 begins 320 bytes behind its first one')
  end subroutine

  ! Two ranks beside each other along x, 4 x 4 cells each, with walls along y.
  subroutine begin_tank()
    type(hx_partition) :: grid
    type(hx_part) :: mine
    integer :: i, j

    grid = walled_partition(8, 4)
    grid%ranks(1:2) = [2, 1]
    call hx_decompose(MPI_COMM_WORLD, grid, mine)
    call walled_create(MPI_COMM_WORLD, walled_shape_dense(mine), tank)
    call walled_alloc(tank, heat)
    do j = 1, 4
      do i = 1, 4
        heat%t(i, j) = 10 * (mine%first(1) + i - 1) + j - 1
        heat%v(:, i, j) = 100 * (mine%first(1) + i - 1) + 10 * (j - 1) + [0, 1]
      end do
    end do
  end subroutine

  subroutine walls_and_images()
    call begin_tank()
    call walled_images(tank, heat%t)
    call walled_images_audit(tank, heat%t)
    if (rank == 0) heat%t(3, -1) = -77
    call walled_images_audit(tank, heat%t, ierr)
    call says('wrote an image', 'is -77 at ghost point (2, -2) of block 0, behind a wall, and must be 20, which the boundary')
    call walled_images(tank, heat%t)
    if (rank == 0) heat%t(3, 4) = heat%t(3, 4) + 0.5d0
    call walled_images_audit(tank, heat%t, ierr)
    call says('image is stale', 'is 23 at ghost point (2, 4) of block 0, behind a wall, and must be 23.5, which')
    call says('image is stale', 'The halo is stale')
    call walled_opposites(tank, heat%t, heat%v)
    if (rank == 0) heat%v(2, 3, 0) = heat%v(2, 3, 0) + 1
    call walled_opposites_audit(tank, heat%t, heat%v, ierr)
    call says('wrote an opposite', 'component 1 of field v (line 5) is -210 at ghost point (2, -1) of block 0, behind a wall')
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call walled_destroy(tank)
  end subroutine

  subroutine walls_of_a_procedure()
    type(far_walls), target :: walls

    call begin_tank()
    walls%rank = rank
    call walled_set_boundary(tank, walls)
    call walled_hooked(tank, heat%t, ierr)
    ! Where rank 0 is slow to answer, the box of ghost points is told.
    if (rank == 1 .and. index(hx_last_error(), 'is wrong at one of the ghost points from (-2, 0) to (-1, 3) of block 1') == 0) &
        call says('a procedure that goes too far', 'is -1 at ghost point (-1, 1) of block 1 and must be 31, as')
    call walled_images(tank, heat%t)   ! in which rank 0 answers
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call walled_destroy(tank)
  end subroutine

  ! Two ranks beside each other along x, 4 x 4 cells each, a ring along both axes; ghost points are 0.5, or 1, more on rank 1.
  subroutine begin_sums()
    type(hx_partition) :: grid
    type(hx_part) :: mine
    type(hx_options) :: options
    integer :: i, j

    grid = totals_partition(8, 4)
    grid%ranks(1:2) = [2, 1]
    call hx_decompose(MPI_COMM_WORLD, grid, mine)
    call hx_set_option(options, 'transport', 'p2p')
    call totals_create(MPI_COMM_WORLD, totals_shape_dense(mine), plasma, options)
    call totals_alloc(plasma, sums)
    sums%charge = 0.5d0 + rank
    sums%count(1, :, :) = 30000_c_int16_t
    sums%count(2, :, :) = int(2 + rank, c_int16_t)
    sums%first = real(33 - 30 * rank, c_float)
    do j = 1, 4
      do i = 1, 5
        sums%force(i, j) = 10 * (mine%first(1) + i - 1) + j - 1 + 0.25d0 * rank
        if (i == 5) cycle
        sums%charge(i, j) = 10 * (mine%first(1) + i - 1) + j - 1
        sums%first(i, j) = real(sums%charge(i, j), c_float)
        sums%count(:, i, j) = int([100 * (mine%first(1) + i - 1) + j - 1, 1 - j], c_int16_t)
      end do
    end do
  end subroutine

  subroutine end_sums()
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call totals_destroy(plasma)
  end subroutine

  ! What is written between start and finish where a value is to come of several.
  subroutine sums_too_early()
    call begin_sums()
    call totals_deposit_start(plasma, sums%charge)
    if (rank == 1) sums%charge(1, 1) = 7
    call totals_deposit_finish(plasma, sums%charge, ierr)
    call says_on(1, 'a sum', 'is 9.5 at owned point (0, 0) of block 1, which is (4, 0) of the grid, and must be 42.5, the sum: at')
    call totals_tally_start(plasma, sums%count)
    if (rank == 1) sums%count(1, 4, 4) = 0
    call totals_tally_finish(plasma, sums%count, ierr)
    call says_on(1, 'a sum that wraps', 'is 24464 at owned point (3, 3)')
    call says_on(1, 'a sum that wraps', 'and must be 25167, the sum: at start it was 703')
    call totals_earliest_start(plasma, sums%first)
    if (rank == 0) sums%first(4, 3) = -1
    call totals_earliest_finish(plasma, sums%first, ierr)
    call says_on(0, 'a minimum', 'is -1 at owned point (3, 2) of block 0, which is (3, 2) of the grid, and must be 3, the least')
    call end_sums()
  end subroutine

  ! What is written to ghost points that are on their way to their owners.
  subroutine sums_too_late()
    call begin_sums()
    call totals_deposit_start(plasma, sums%charge)
    if (rank == 0) sums%charge(5, 3) = sums%charge(5, 3) + 3
    call totals_deposit_finish(plasma, sums%charge, ierr)
    call says_on(0, 'added too late', 'is 3.5 at ghost point (4, 2) of block 0, and must be 0.5, as it was at start: what is')
    call totals_tally_start(plasma, sums%count)
    if (rank == 1) sums%count(2, 0, 4) = 0
    call totals_tally_finish(plasma, sums%count, ierr)
    call says_on(1, 'changed what is kept', 'is 0 at ghost point (-1, 3) of block 1, and must be 3, as it was at start.')
    call end_sums()
  end subroutine

  subroutine points_in_common()
    call begin_sums()
    call totals_assemble_start(plasma, sums%force)
    if (rank == 0) sums%force(5, 2) = 1
    call totals_assemble_finish(plasma, sums%force, ierr)
    call says_on(0, 'a shared point', 'is 42.25 at the shared point (4, 1) of block 0, which is (4, 1) of the grid, and must be')
    call end_sums()
    call begin_sums()
    call totals_take(plasma, sums%force)
    if (rank == 1) sums%force(1, 3) = 5
    call totals_take_audit(plasma, sums%force, ierr)
    call says('disagreed', 'rank 0 has 42.25 at the shared point (4, 2) of block 0, which is (4, 2) of the grid')
    call says('disagreed', '; rank 1 has 5 in block 1 at (0, 2)')
    call end_sums()
  end subroutine

  subroutine refused(bug, words)
    character(*), intent(in) :: bug, words

    if (ierr /= hx_err_argument .or. index(hx_last_error(), words) == 0) print *, 'FAIL ', bug, ierr, hx_last_error()
  end subroutine

  ! On one rank alone; on the other one nothing is wrong.
  subroutine says_on(wrong_on, bug, words)
    integer, intent(in) :: wrong_on
    character(*), intent(in) :: bug, words

    if (rank == wrong_on) call says(bug, words)
    if (rank /= wrong_on .and. ierr /= hx_ok) print *, 'FAIL ', bug, ': on rank', rank, hx_last_error()
  end subroutine

  subroutine says(bug, words)
    character(*), intent(in) :: bug, words

    if (ierr /= hx_err_mismatch) print *, 'FAIL ', bug, ': not found', ierr
    if (index(hx_last_error(), words) == 0) print *, 'FAIL ', bug, ': no "', words, '" in: ', hx_last_error()
  end subroutine
end program
