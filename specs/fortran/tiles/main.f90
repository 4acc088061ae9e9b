!> Heat and salt that spread on a plate cut into 3 x 4 tiles: tiles [NX NY [STEPS]]
!>
!> A rank has any number of tiles: objects with allocatable arrays, whose rows are padded to a round length.  Cosines stay
!> cosines, so the answer is known to the last digits.
program main
  use, intrinsic :: iso_c_binding, only: dp => c_double, int64 => c_int64_t, c_int
  use mpi_f08
  use hx
  use plate
  use arguments
  use checksum
  implicit none

  type :: tile
    type(hx_part) :: part
    real(dp), allocatable, dimension(:, :) :: t, s
  end type tile

  integer, parameter :: along(2) = [3, 4], all_tiles = product(along)
  integer, parameter :: halves(2, 2) = reshape([1, 2, 3, 1], [2, 2])   ! half waves of t and s along x and y
  real(dp), parameter :: pi = acos(-1.0_dp), rate(2) = [0.2_dp, 0.1_dp]
  integer :: rank, ranks, cells(2), steps, step, b
  integer(c_int) :: owners(all_tiles)
  type(hx_partition) :: grid
  type(plate_halo) :: halo
  type(tile), allocatable, target :: tiles(:)
  type(plate_shape), allocatable :: shapes(:)
  type(plate_fields), allocatable :: f(:)
  real(dp) :: error

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  cells = [argument(1, 'NX', 60), argument(2, 'NY', 50)]
  steps = argument(3, 'STEPS', 200)

  grid = plate_partition(cells(1), cells(2))
  grid%ranks(1:2) = along
  owners = [(modulo(b, ranks), b=0, all_tiles - 1)]   ! dealt like cards, the same on all ranks
  call make_tiles()
  call plate_create_blocks(MPI_COMM_WORLD, [grid], shapes, halo, owners)

  do step = 1, steps
    call plate_state_blocks(halo, f)
    do b = 1, size(tiles)
      call spread_out(tiles(b)%t, tiles(b)%part%n, rate(1))
      call spread_out(tiles(b)%s, tiles(b)%part%n, rate(2))
    end do
  end do

  error = 0
  do b = 1, size(tiles)
    error = max(error, difference(tiles(b)%t, tiles(b)%part, 1), difference(tiles(b)%s, tiles(b)%part, 2))
  end do
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) then
    print '(a, 3(i0, a), es7.1)', 'tiles: ', cells(1), ' x ', cells(2), ' cells in ', all_tiles, &
      ' tiles, largest difference from the exact cosines ', error
  end if
  call print_state()
  call plate_destroy(halo)
  call MPI_Finalize()
  if (error > 1e-12_dp) error stop 'the difference is too large'

contains

  !> The tiles of this rank, with shapes that are made from their arrays, and pointers to these.
  subroutine make_tiles()
    integer(c_int) :: block
    integer :: mine, b

    mine = count(owners == rank)
    allocate (tiles(mine), shapes(mine), f(mine))
    b = 0
    do block = 1, all_tiles
      if (owners(block) /= rank) cycle
      b = b + 1
      call hx_part_of(grid, 1, block, tiles(b)%part)
      associate (nx => tiles(b)%part%n(1), ny => tiles(b)%part%n(2))
        allocate (tiles(b)%t(0:round_up(nx + 2) - 1, 0:ny + 1), tiles(b)%s(0:round_up(nx + 2) - 1, 0:ny + 1))
      end associate
      call plate_shape_of(tiles(b)%part, tiles(b)%t, tiles(b)%s, shapes(b))
      f(b)%t => tiles(b)%t
      f(b)%s => tiles(b)%s
      call set(tiles(b)%t, tiles(b)%part, 1)
      call set(tiles(b)%s, tiles(b)%part, 2)
    end do
  end subroutine make_tiles

  !> Rows begin at multiples of 8 elements.
  integer function round_up(n)
    integer, intent(in) :: n

    round_up = (n + 7) / 8 * 8
  end function round_up

  subroutine spread_out(a, n, rate)
    real(dp), intent(inout) :: a(0:, 0:)
    integer, intent(in) :: n(:)
    real(dp), intent(in) :: rate
    real(dp) :: new(n(1), n(2))
    integer :: i, j

    do j = 1, n(2)
      do i = 1, n(1)
        new(i, j) = a(i, j) + rate * ((a(i - 1, j) - 2 * a(i, j) + a(i + 1, j)) + (a(i, j - 1) - 2 * a(i, j) + a(i, j + 1)))
      end do
    end do
    a(1:n(1), 1:n(2)) = new
  end subroutine spread_out

  !> What cell (i, j) of a part has after so many steps.
  real(dp) function cosine(part, i, j, field, steps)
    type(hx_part), intent(in) :: part
    integer, intent(in) :: i, j, field, steps
    real(dp) :: angle(2), factor

    angle = pi * halves(:, field) / cells
    factor = 1 - 4 * rate(field) * sum(sin(angle / 2)**2)
    cosine = factor**steps * product(cos(angle * (part%first(1:2) + [i, j] - 0.5_dp)))
  end function cosine

  subroutine set(a, part, field)
    real(dp), intent(inout) :: a(0:, 0:)
    type(hx_part), intent(in) :: part
    integer, intent(in) :: field
    integer :: i, j

    a = 0
    do j = 1, part%n(2)
      do i = 1, part%n(1)
        a(i, j) = cosine(part, i, j, field, 0)
      end do
    end do
  end subroutine set

  real(dp) function difference(a, part, field) result(largest)
    real(dp), intent(in) :: a(0:, 0:)
    type(hx_part), intent(in) :: part
    integer, intent(in) :: field
    integer :: i, j

    largest = 0
    do j = 1, part%n(2)
      do i = 1, part%n(1)
        largest = max(largest, abs(a(i, j) - cosine(part, i, j, field, steps)))
      end do
    end do
  end function difference

  subroutine print_state()
    integer(int64) :: sum, place
    integer :: i, j, b

    sum = 0
    do b = 1, size(tiles)
      associate (part => tiles(b)%part)
        do j = 1, part%n(2)
          do i = 1, part%n(1)
            place = (int(part%first(2) + j, int64) * cells(1) + part%first(1) + i) * 2
            call checksum_add(sum, tiles(b)%t(i, j), place)
            call checksum_add(sum, tiles(b)%s(i, j), place + 1)
          end do
        end do
      end associate
    end do
    call checksum_print(sum, MPI_COMM_WORLD)
  end subroutine print_state

end program main
