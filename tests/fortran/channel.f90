! The module of the README's spec: own arrays and those of alloc, exchanges in one call and in two, boxes and stars.
!
! Every point of every array is compared: what it should hold is computed from its place in the grid.
program channel_test
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  integer, parameter :: cells(3) = [16, 10, 12]
  real(c_double), parameter :: untouched = -1
  type(hx_partition) :: grid
  type(hx_part) :: mine
  type(channel_shape) :: shape
  type(channel_halo) :: halo
  type(channel_fields) :: f
  real(c_double), allocatable :: u(:,:,:), v(:,:,:), w(:,:,:)
  integer :: code, n(3)

  call MPI_Init(code)
  grid = channel_partition(cells(1), cells(2), cells(3))
  call hx_decompose(MPI_COMM_WORLD, grid, mine)
  shape = channel_shape_dense(mine)
  call channel_create(MPI_COMM_WORLD, shape, halo)
  n = mine%n(1:3)

  allocate (u(1-2:n(1)+2, 1-2:n(2)+2, 1-2:n(3)+2), source=untouched)
  allocate (v, w, source=u)
  call fill(u, 1)
  call fill(v, 2)
  call fill(w, 3)
  call channel_velocity_start(halo, u, v, w)
  call channel_velocity_finish(halo, u, v, w)
  call compare(u, 1, 'u')
  call compare(v, 2, 'v')
  call compare(w, 3, 'w')

  call channel_alloc(halo, f)
  call bounds('f%u', lbound(f%u), ubound(f%u), 2)
  call bounds('f%p', lbound(f%p), ubound(f%p), 1)
  call fill(f%u(-1:,-1:,-1:), 4)
  call fill(f%v(-1:,-1:,-1:), 5)
  call fill(f%w(-1:,-1:,-1:), 6)
  call channel_velocity(halo, f%u, f%v, f%w)
  call compare(f%u, 4, 'f%u')
  call compare(f%v, 5, 'f%v')
  call compare(f%w, 6, 'f%w')
  call star(f%p)

  call channel_free(halo, f)
  if (associated(f%u) .or. associated(f%p)) print *, 'FAIL pointers of arrays that are freed'
  call channel_destroy(halo)
  call channel_destroy(halo)
  call MPI_Finalize(code)

contains

  ! What point i, j, k of an array holds: all points of the grid differ.  Beyond walls: what was there before.
  pure real(c_double) function value(i, j, k, array)
    integer, intent(in) :: i, j, k, array
    integer :: place(3)

    place = mine%first(1:3) + [i, j, k]
    value = untouched
    if (place(2) < 1 .or. place(2) > cells(2)) return
    place = modulo(place - 1, cells)
    value = place(1) + 100 * place(2) + 10000 * place(3) + 1000000 * array
  end function

  subroutine fill(a, array)
    real(c_double), intent(inout) :: a(-1:,-1:,-1:)
    integer, intent(in) :: array
    integer :: i, j, k

    a = untouched
    do k = 1, n(3)
      do j = 1, n(2)
        do i = 1, n(1)
          a(i, j, k) = value(i, j, k, array)
        end do
      end do
    end do
  end subroutine

  subroutine compare(a, array, name)
    real(c_double), intent(in) :: a(-1:,-1:,-1:)
    integer, intent(in) :: array
    character(*), intent(in) :: name
    integer :: i, j, k, wrong

    wrong = 0
    do k = -1, n(3) + 2
      do j = -1, n(2) + 2
        do i = -1, n(1) + 2
          if (abs(a(i, j, k) - value(i, j, k, array)) > 0) wrong = wrong + 1
        end do
      end do
    end do
    if (wrong > 0) print *, 'FAIL ', name, ': wrong points: ', wrong
  end subroutine

  subroutine bounds(name, lower, upper, width)
    character(*), intent(in) :: name
    integer, intent(in) :: lower(3), upper(3), width

    if (any(lower /= 1 - width) .or. any(upper /= n + width)) print *, 'FAIL bounds of ', name, lower, upper
  end subroutine

  ! Ghost points of a star are beside faces; those of edges and corners stay as they are.
  subroutine star(p)
    real(c_float), pointer, intent(in) :: p(:,:,:)
    integer :: i, j, k, wrong, outside
    real(c_float) :: expected

    p = real(untouched, c_float)
    do k = 1, n(3)
      do j = 1, n(2)
        do i = 1, n(1)
          p(i, j, k) = real(value(i, j, k, 0), c_float)
        end do
      end do
    end do
    call channel_pressure(halo, p)
    wrong = 0
    do k = 0, n(3) + 1
      do j = 0, n(2) + 1
        do i = 0, n(1) + 1
          outside = count([i, j, k] < 1 .or. [i, j, k] > n)
          expected = real(untouched, c_float)
          if (outside < 2) expected = real(value(i, j, k, 0), c_float)
          if (abs(p(i, j, k) - expected) > 0) wrong = wrong + 1
        end do
      end do
    end do
    if (wrong > 0) print *, 'FAIL f%p: wrong points: ', wrong
  end subroutine

end program
