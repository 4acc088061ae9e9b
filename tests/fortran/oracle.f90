! What every point of an array has to hold before and after an exchange, from its place in the grid alone.
!
! A grid of axes x, y, z, periodic along x and z, with walls across y.  All points of it have different values.
module oracle
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: holds, report, cells, untouched

  integer, parameter :: cells(3) = [12, 9, 8]
  real(c_double), parameter :: untouched = -1

  ! Which points are filled: owned ones, those beside faces too, or all.
  integer, parameter, public :: owned = 0, star = 1, box = 2

  ! A block: the cells before it, and its own.
  type, public :: block_of
    integer :: first(3), n(3)
  end type

  ! An array: which axis each of its indices runs along, layers of halo, points more than cells; different numbers for different
  ! fields and components.
  type, public :: layout
    integer :: axis(3) = [1, 2, 3], lo(3) = 1, hi(3) = 1, more(3) = 0, number = 0
  end type

contains

  ! Of an array with the bounds of its halo.
  function holds(a, block, filled) result(values)
    type(layout), intent(in) :: a
    type(block_of), intent(in) :: block
    integer, intent(in) :: filled
    real(c_double), allocatable :: values(:,:,:)
    integer :: lower(3), upper(3), i, j, k

    lower = 1 - a%lo(a%axis)
    upper = block%n(a%axis) + a%more(a%axis) + a%hi(a%axis)
    allocate (values(lower(1):upper(1), lower(2):upper(2), lower(3):upper(3)))
    do k = lower(3), upper(3)
      do j = lower(2), upper(2)
        do i = lower(1), upper(1)
          values(i, j, k) = value_at(a, block, filled, [i, j, k])
        end do
      end do
    end do
  end function

  pure real(c_double) function value_at(a, block, filled, at)
    type(layout), intent(in) :: a
    type(block_of), intent(in) :: block
    integer, intent(in) :: filled, at(3)
    integer :: place(3), outside

    place(a%axis) = at
    outside = count(place < 1 .or. place > block%n + a%more)
    place = place + block%first
    value_at = untouched
    if (outside > 0 .and. filled == owned) return
    if (outside > 1 .and. filled == star) return
    if (place(2) < 1 .or. place(2) > cells(2) + a%more(2)) return
    place([1, 3]) = modulo(place([1, 3]) - 1, cells([1, 3])) + 1
    value_at = place(1) + 16 * (place(2) + 16 * (place(3) + 16 * a%number))
  end function

  subroutine report(name, found, expected)
    character(*), intent(in) :: name
    real(c_double), intent(in) :: found(:,:,:), expected(:,:,:)
    integer :: wrong

    if (any(shape(found) /= shape(expected))) then
      print *, 'FAIL ', name, ': extents', shape(found), ', not', shape(expected)
      return
    end if
    wrong = count(abs(found - expected) > 0)
    if (wrong > 0) print *, 'FAIL ', name, ': ', wrong, ' of ', size(found), ' points are wrong'
  end subroutine

end module
