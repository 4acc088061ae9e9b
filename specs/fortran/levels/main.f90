!> Three tracers carried by a steady current, leapfrog with a filter: levels [NX NY NZ [STEPS]]
!>
!> All fields go in one call, and each is a time level of a larger array: t(:, :, :, now) is not copied.  A plane wave
!> stays one, so the answer is known to the last digits.
program main
  use, intrinsic :: iso_c_binding, only: dp => c_double, int64 => c_int64_t
  use mpi_f08
  use hx
  use levels
  use arguments
  use checksum
  implicit none
  integer, parameter :: h = 2, tracers = 3
  real(dp), parameter :: pi = acos(-1.0_dp), courant(2) = [0.3_dp, 0.2_dp]
  integer, parameter :: waves(2, tracers) = reshape([1, 2, 2, -1, 3, 1], [2, tracers])   ! along x and y
  integer :: rank, nx, ny, nz, steps, step, before, now, swapped, first(2)
  integer, parameter :: after = 3
  integer :: cells(2)
  type(hx_part) :: mine
  type(levels_halo) :: halo
  real(dp), allocatable, dimension(:, :, :, :) :: t, s, c   ! x, y, z, time level
  real(dp) :: error

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  cells = [argument(1, 'NX', 48), argument(2, 'NY', 40)]
  nz = argument(3, 'NZ', 5)
  steps = argument(4, 'STEPS', 60)

  call hx_decompose(MPI_COMM_WORLD, levels_partition(cells(1), cells(2), nz), mine)
  call levels_create(MPI_COMM_WORLD, levels_shape_dense(mine), halo)
  first = mine%first(1:2)
  nx = mine%n(1)
  ny = mine%n(2)
  allocate (t(1 - h:nx + h, 1 - h:ny + h, nz, 3), source=0.0_dp)
  allocate (s, c, mold=t)
  before = 1
  now = 2
  call set(t, 1)
  call set(s, 2)
  call set(c, 3)

  do step = 1, steps
    call levels_advected(halo, t(:, :, :, now), s(:, :, :, now), c(:, :, :, now))
    call advect(t)
    call advect(s)
    call advect(c)
    call levels_smoothed(halo, t(:, :, :, after), s(:, :, :, after), c(:, :, :, after))
    call smooth(t(:, :, :, after), t(:, :, :, before))
    call smooth(s(:, :, :, after), s(:, :, :, before))
    call smooth(c(:, :, :, after), c(:, :, :, before))
    swapped = before
    before = now
    now = swapped
  end do

  error = max(difference(t, 1), difference(s, 2), difference(c, 3))
  call MPI_Allreduce(MPI_IN_PLACE, error, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD)
  if (rank == 0) then
    print '(a, 2(i0, a), i0, 2a, es7.1)', 'levels: ', cells(1), ' x ', cells(2), ' x ', nz, ' cells, ', &
      'largest difference from the exact waves ', error
  end if
  call print_state()
  call levels_destroy(halo)
  call MPI_Finalize()
  if (error > 1e-12_dp) error stop 'the difference is too large'

contains

  !> after = before - 2 dt (current * gradient) now, slopes of fourth order.
  subroutine advect(a)
    real(dp), intent(inout) :: a(1 - h:, 1 - h:, :, :)
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          a(i, j, k, after) = a(i, j, k, before) &
            - courant(1) * slope(a(i - 2, j, k, now), a(i - 1, j, k, now), a(i + 1, j, k, now), a(i + 2, j, k, now)) &
            - courant(2) * slope(a(i, j - 2, k, now), a(i, j - 1, k, now), a(i, j + 1, k, now), a(i, j + 2, k, now))
        end do
      end do
    end do
  end subroutine advect

  !> Twice the slope at the point in the middle of these four.
  elemental real(dp) function slope(far_below, below, above, far_above)
    real(dp), intent(in) :: far_below, below, above, far_above

    slope = (8 * (above - below) - (far_above - far_below)) / 6
  end function slope

  !> Means with weights 1, 2, 1 along both axes.
  subroutine smooth(a, smoothed)
    real(dp), intent(in) :: a(1 - h:, 1 - h:, :)
    real(dp), intent(inout) :: smoothed(1 - h:, 1 - h:, :)
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          smoothed(i, j, k) = (4 * a(i, j, k) + 2 * (a(i - 1, j, k) + a(i + 1, j, k) + a(i, j - 1, k) + a(i, j + 1, k)) &
                               + (a(i - 1, j - 1, k) + a(i + 1, j - 1, k) + a(i - 1, j + 1, k) + a(i + 1, j + 1, k))) / 16
        end do
      end do
    end do
  end subroutine smooth

  ! ---- the exact answer: in each step a wave is multiplied by a complex number z ----

  !> The root near 1 of z**2 = filter * (1 - 2 i z speed), where `speed` is what the slopes make of the wave.
  complex(dp) function factor(tracer) result(z)
    integer, intent(in) :: tracer
    real(dp) :: angle(2), filter, speed

    angle = 2 * pi * waves(:, tracer) / cells
    filter = product(cos(angle / 2)**2)
    speed = sum(courant * (8 * sin(angle) - sin(2 * angle)) / 6)
    z = cmplx(sqrt(filter - (filter * speed)**2), -filter * speed, dp)
  end function factor

  !> The wave at cell (i, j, k) of this rank after so many steps; at other depths it has other phases.
  real(dp) function wave(tracer, cell, z)
    integer, intent(in) :: tracer, cell(3)
    complex(dp), intent(in) :: z   ! factor(tracer)**steps
    real(dp) :: phase

    phase = 2 * pi * sum(real(waves(:, tracer) * (first + cell(1:2)), dp) / cells) + cell(3)
    wave = real(z * cmplx(cos(phase), sin(phase), dp), dp)
  end function wave

  subroutine set(a, tracer)
    real(dp), intent(inout) :: a(1 - h:, 1 - h:, :, :)
    integer, intent(in) :: tracer
    complex(dp) :: z
    integer :: i, j, k

    z = factor(tracer)
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          a(i, j, k, before) = wave(tracer, [i, j, k], 1 / z)
          a(i, j, k, now) = wave(tracer, [i, j, k], (1.0_dp, 0.0_dp))
        end do
      end do
    end do
  end subroutine set

  real(dp) function difference(a, tracer) result(largest)
    real(dp), intent(in) :: a(1 - h:, 1 - h:, :, :)
    integer, intent(in) :: tracer
    complex(dp) :: z
    integer :: i, j, k

    largest = 0
    z = factor(tracer)**steps
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          largest = max(largest, abs(a(i, j, k, now) - wave(tracer, [i, j, k], z)))
        end do
      end do
    end do
  end function difference

  subroutine print_state()
    integer(int64) :: sum, place
    integer :: i, j, k

    sum = 0
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          place = ((int(k, int64) * cells(2) + first(2) + j) * cells(1) + first(1) + i) * tracers
          call checksum_add(sum, t(i, j, k, now), place)
          call checksum_add(sum, s(i, j, k, now), place + 1)
          call checksum_add(sum, c(i, j, k, now), place + 2)
        end do
      end do
    end do
    call checksum_print(sum, MPI_COMM_WORLD)
  end subroutine print_state

end program main
