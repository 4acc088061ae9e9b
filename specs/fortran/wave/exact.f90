!> The analytic solution: plane waves that travel along x and y and stand between floor and ceiling.
module exact
  use, intrinsic :: iso_c_binding, only: dp => c_double
  use solver, only: room, extent
  implicit none
  private
  public :: exact_start, exact_error, exact_bound

  real(dp), parameter :: pi = 3.14159265358979323846_dp

  !> Waves per extent along x and y, half waves from floor to ceiling; each wave of amplitude 1.
  integer, parameter :: modes = 6
  integer, parameter :: mode(3, modes) = reshape([5, 0, 2, 4, 3, 2, 3, 4, 2, 0, 5, 2, -3, 4, 2, -4, 3, 2], [3, modes])

  !> Where in its cell a field sits.
  real(dp), parameter :: at_p(3) = [0.5_dp, 0.5_dp, 0.5_dp]
  real(dp), parameter :: at_u(3) = [0.0_dp, 0.5_dp, 0.5_dp]
  real(dp), parameter :: at_v(3) = [0.5_dp, 0.0_dp, 0.5_dp]
  real(dp), parameter :: at_w(3) = [0.5_dp, 0.5_dp, 0.0_dp]

contains

  pure function wave_numbers(m) result(k)
    integer, intent(in) :: m
    real(dp) :: k(3)

    k = [2.0_dp * pi, 2.0_dp * pi, pi] * mode(:, m) / extent
  end function wave_numbers

  pure real(dp) function frequency(m)
    integer, intent(in) :: m
    real(dp) :: k(3)

    k = wave_numbers(m)
    frequency = sqrt(k(1)**2 + k(2)**2 + k(3)**2)
  end function frequency

  !> The solution for p, u, v and w at one place and time.
  pure function solution(x, time) result(sum)
    real(dp), intent(in) :: x(3), time
    real(dp) :: sum(4), k(3), f, angle, standing
    integer :: m

    sum = 0
    do m = 1, modes
      k = wave_numbers(m)
      f = frequency(m)
      angle = k(1) * (x(1) - 0.5_dp) + k(2) * (x(2) - 0.5_dp) - f * time
      standing = cos(k(3) * x(3))
      sum(1) = sum(1) + cos(angle) * standing
      sum(2) = sum(2) + k(1) / f * cos(angle) * standing
      sum(3) = sum(3) + k(2) / f * cos(angle) * standing
      sum(4) = sum(4) - k(3) / f * sin(angle) * sin(k(3) * x(3))
    end do
  end function solution

  !> The place of a point of cell (i, j, k) of this rank.
  pure function place(s, cell, position) result(x)
    type(room), intent(in) :: s
    integer, intent(in) :: cell(3)
    real(dp), intent(in) :: position(3)
    real(dp) :: x(3)

    x = (s%part%first(1:3) + cell - 1 + position) * s%spacing
  end function place

  !> Sets the pressure to the solution at time 0 and the velocities to that half a time step later.
  subroutine exact_start(s)
    type(room), intent(inout) :: s
    real(dp) :: later, all(4)
    integer :: i, j, k

    later = 0.5_dp * s%time_step
    do k = 1, s%n(3)
      do j = 1, s%n(2)
        do i = 1, s%n(1)
          all = solution(place(s, [i, j, k], at_p), 0.0_dp)
          s%p(i, j, k) = all(1)
          all = solution(place(s, [i, j, k], at_u), later)
          s%u(i, j, k) = all(2)
          all = solution(place(s, [i, j, k], at_v), later)
          s%v(i, j, k) = all(3)
          all = solution(place(s, [i, j, k], at_w), later)
          s%w(i, j, k) = all(4)
        end do
      end do
    end do
  end subroutine exact_start

  !> The largest difference of this rank's pressures from the solution, as a fraction of the sum of the waves' amplitudes.
  real(dp) function exact_error(s) result(largest)
    type(room), intent(in) :: s
    real(dp) :: all(4)
    integer :: i, j, k

    largest = 0
    do k = 1, s%n(3)
      do j = 1, s%n(2)
        do i = 1, s%n(1)
          all = solution(place(s, [i, j, k], at_p), s%time)
          largest = max(largest, abs(s%p(i, j, k) - all(1)) / modes)
        end do
      end do
    end do
  end function exact_error

  !> What that difference may be, by the order of the scheme; specs/wave/exact.c says why.
  real(dp) function exact_bound(s) result(bound)
    type(room), intent(in) :: s
    real(dp) :: k(3), f, fraction
    integer :: m

    bound = 0
    do m = 1, modes
      k = wave_numbers(m)
      f = frequency(m)
      fraction = (f * s%time_step)**2 / 24 + sum(3.0_dp / 640.0_dp * (k * s%spacing)**4 * (k / f)**2)
      bound = bound + (1 + f * s%time) * fraction / modes
    end do
  end function exact_bound

end module exact
