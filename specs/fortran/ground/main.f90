!> Heat that spreads through rock of uneven conductivity: ground [NX NY [STEPS]]
!>
!> Rank 0 has the map of the rock, of the whole grid.  A node keeps one copy, which all of its ranks read by indices of the
!> whole grid, beyond their own cells too: the map needs no halo.  Heat is neither made nor lost.
program main
  use, intrinsic :: iso_c_binding, only: dp => c_double, int64 => c_int64_t
  use mpi_f08
  use hx
  use hx_tables
  use ground
  use arguments
  use checksum
  implicit none
  real(dp), parameter :: rate = 0.2_dp
  integer :: rank, cells(2), first(2), n(2), steps, step
  type(hx_part) :: mine
  type(ground_halo) :: halo
  type(hx_shared_arrays) :: tables
  real(dp), pointer :: rock(:, :) => null()
  real(dp), allocatable :: t(:, :), warmer(:, :)
  real(dp) :: before, after

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  cells = [argument(1, 'NX', 60), argument(2, 'NY', 50)]
  steps = argument(3, 'STEPS', 200)

  call hx_decompose(MPI_COMM_WORLD, ground_partition(cells(1), cells(2)), mine)
  call ground_create(MPI_COMM_WORLD, ground_shape_dense(mine), halo)
  first = mine%first(1:2)
  n = mine%n(1:2)

  call hx_shared_arrays_create(MPI_COMM_WORLD, tables)
  if (rank == 0) then
    call hx_shared_array(tables, 0, map_of_rock(), rock)
  else
    call hx_shared_array(tables, 0, shared=rock)
  end if

  allocate (t(0:n(1) + 1, 0:n(2) + 1), source=0.0_dp)
  allocate (warmer, mold=t)
  call set(t)
  before = heat(t)
  do step = 1, steps
    call ground_heat(halo, t)
    call spread_out(t, warmer, rock)
    t(1:n(1), 1:n(2)) = warmer(1:n(1), 1:n(2))
  end do
  after = heat(t)

  if (rank == 0) then
    print '(a, 2(i0, a), es7.1)', 'ground: ', cells(1), ' x ', cells(2), ' cells, share of the heat that was lost ', &
      abs(after - before) / before
  end if
  call print_state()
  call hx_shared_arrays_destroy(tables)
  call ground_destroy(halo)
  call MPI_Finalize()
  if (abs(after - before) > 1e-12_dp * before) error stop 'heat was lost'

contains

  !> A program would read it from a file.  Veins of rock that lets heat through cross others.
  function map_of_rock() result(map)
    real(dp) :: map(cells(1), cells(2))
    integer :: i, j

    do j = 1, cells(2)
      do i = 1, cells(1)
        map(i, j) = 0.1_dp + 0.9_dp * real(modulo(i * i + 7 * j, 11), dp) / 11
      end do
    end do
  end function map_of_rock

  !> `rock` is for reading: the pages of the table are protected, and intent(in) has the compiler say so, too.
  subroutine spread_out(t, warmer, rock)
    real(dp), intent(in) :: t(0:, 0:), rock(:, :)
    real(dp), intent(inout) :: warmer(0:, 0:)
    integer :: i, j

    do j = 1, n(2)
      do i = 1, n(1)
        warmer(i, j) = t(i, j) &
          + (between(rock, i, j, 1, 0) * (t(i + 1, j) - t(i, j)) + between(rock, i, j, -1, 0) * (t(i - 1, j) - t(i, j))) &
          + (between(rock, i, j, 0, 1) * (t(i, j + 1) - t(i, j)) + between(rock, i, j, 0, -1) * (t(i, j - 1) - t(i, j)))
      end do
    end do
  end subroutine spread_out

  !> How well heat passes from this rank's cell (i, j) to the one beside it: the harmonic mean of both.
  pure real(dp) function between(rock, i, j, right, up)
    real(dp), intent(in) :: rock(:, :)
    integer, intent(in) :: i, j, right, up
    integer :: here(2), there(2)

    here = first + [i, j]
    there = modulo(here + [right, up] - 1, cells) + 1
    associate (a => rock(here(1), here(2)), b => rock(there(1), there(2)))
      between = rate * (2 * a * b / (a + b))
    end associate
  end function between

  !> One hot cell in ten.
  subroutine set(t)
    real(dp), intent(inout) :: t(0:, 0:)
    integer :: i, j

    do j = 1, n(2)
      do i = 1, n(1)
        if (modulo(first(1) + i + 3 * (first(2) + j), 10) == 0) t(i, j) = 1
      end do
    end do
  end subroutine set

  !> Of all ranks.
  real(dp) function heat(t)
    real(dp), intent(in) :: t(0:, 0:)

    heat = sum(t(1:n(1), 1:n(2)))
    call MPI_Allreduce(MPI_IN_PLACE, heat, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function heat

  subroutine print_state()
    integer(int64) :: sum
    integer :: i, j

    sum = 0
    do j = 1, n(2)
      do i = 1, n(1)
        call checksum_add(sum, t(i, j), (int(first(2) + j, int64) * cells(1) + first(1) + i))
      end do
    end do
    call checksum_print(sum, MPI_COMM_WORLD)
  end subroutine print_state

end program main
