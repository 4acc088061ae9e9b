! One block a rank: kinds, orders, components, faces, padded arrays, components of derived types, time levels, sums, walls.
module painter
  use, intrinsic :: iso_c_binding
  use hx
  use tank
  implicit none

  ! Fills what lies beyond walls with a color.
  type, extends(hx_walls) :: paint
    real(c_double) :: color = 0
    integer :: walls = 0
  contains
    procedure :: fill => paint_wall
  end type

contains

  subroutine paint_wall(walls, wall)
    class(paint), intent(inout) :: walls
    type(hx_wall), intent(in) :: wall
    real(c_double), pointer :: a(:,:,:)

    a => null()
    walls%walls = walls%walls + 1
    if (wall%field /= tank_field_p .or. wall%exchange /= tank_exchange_rim .or. wall%axis /= tank_axis_y) print *, 'FAIL other wall'
    call tank_wall_p(wall, a)
    a(wall%lo(1):wall%hi(1), wall%lo(2):wall%hi(2), wall%lo(3):wall%hi(3)) = walls%color + wall%side
  end subroutine

end module

program tank_test
  use, intrinsic :: iso_c_binding
  use hx
  use tank
  use oracle
  use painter
  implicit none
  include 'mpif.h'

  type :: state ! as codes have them
    real(c_double), allocatable :: u(:,:,:), v(:,:,:), w(:,:,:)
  end type

  type(hx_partition) :: grid
  type(hx_part) :: mine
  type(tank_shape) :: shape
  type(tank_halo) :: halo
  type(tank_fields) :: f
  type(block_of) :: block
  type(state) :: now
  type(layout) :: of_u, of_v, of_w, of_t, of_s, of_k, of_level, plain
  real(c_double), allocatable :: t(:,:,:,:), k(:,:,:,:), a(:,:,:)
  real(c_float), allocatable :: s(:,:,:,:)
  integer(c_int), allocatable :: level(:,:,:)
  logical(c_bool), allocatable :: wet(:,:,:)
  complex(c_double_complex), allocatable :: wave(:,:,:)
  integer :: code, c
  logical :: done

  call MPI_Init(code)
  grid = tank_partition(cells(1), cells(2), cells(3))
  call hx_decompose(MPI_COMM_WORLD, grid, mine)
  block = block_of(mine%first(1:3), mine%n(1:3))
  call describe_layouts()
  call make_arrays()
  call tank_shape_of(mine, now%u, now%v, now%w, t, s, k(:,:,:,2), level, wet, wave, shape=shape)
  call tank_create(MPI_COMM_WORLD, shape, halo)

  call tank_all_start(halo, now%u, now%v, now%w, t, s, k(:,:,:,2), level, wet, wave)
  call tank_all_test(halo, done)
  call tank_all_finish(halo, now%u, now%v, now%w, t, s, k(:,:,:,2), level, wet, wave)
  call compare()
  call count_traffic()

  call tank_alloc(halo, f)
  call fill_and_add()
  call fill_walls()
  call exchange_faces()
  call tank_free(halo, f)
  call tank_destroy(halo)
  call MPI_Finalize(code)

contains

  subroutine describe_layouts()
    plain = layout(number=1)
    of_u = layout(number=2)
    of_v = layout(more=[0, 1, 0], number=3)
    of_w = layout(number=4)
    of_t = layout(lo=[2, 1, 1], hi=[2, 1, 2], number=5)
    of_s = layout(lo=2, hi=2, number=7)
    of_k = layout(axis=[1, 3, 2], lo=[2, 1, 0], hi=[2, 1, 0], number=10)
    of_level = layout(axis=[3, 1, 2], number=11)
  end subroutine

  ! A layout of another number: one for each component.
  type(layout) function numbered(a, more)
    type(layout), intent(in) :: a
    integer, intent(in) :: more

    numbered = a
    numbered%number = a%number + more
  end function

  ! Owned points have values; t has rows with padding, k two time levels.
  subroutine make_arrays()
    integer :: n(3)

    now%u = holds(of_u, block, owned)
    now%v = holds(of_v, block, owned)
    now%w = holds(of_w, block, owned)
    a = holds(of_t, block, owned)
    n = ubound(a)
    allocate (t(2, n(1) + 3, n(2) + 1, n(3)), source=untouched)
    do c = 1, 2
      t(c, :n(1), :n(2), :) = holds(numbered(of_t, c - 1), block, owned)
    end do
    a = holds(of_s, block, owned)
    allocate (s(size(a, 1), size(a, 2), size(a, 3), 3))
    do c = 1, 3
      s(:, :, :, c) = real(holds(numbered(of_s, c - 1), block, owned), c_float)
    end do
    a = holds(of_k, block, owned)
    allocate (k(size(a, 1), size(a, 2), size(a, 3), 2), source=untouched)
    k(:, :, :, 2) = a
    level = int(holds(of_level, block, owned), c_int)
    wave = cmplx(holds(plain, block, owned), 2 * holds(of_u, block, owned), c_double_complex)
    wet = modulo(holds(plain, block, owned), 3.0_c_double) < 1
  end subroutine

  subroutine compare()
    integer :: n(3)

    call report('u', now%u, holds(of_u, block, box))
    call report('v', now%v, holds(of_v, block, box))
    call report('w', now%w, holds(of_w, block, box))
    a = holds(of_t, block, box)
    n = ubound(a)
    do c = 1, 2
      call report('t', t(c, :n(1), :n(2), :), holds(numbered(of_t, c - 1), block, box))
    end do
    if (any(abs(t(:, n(1) + 1:, :, :) - untouched) > 0)) print *, 'FAIL the padding of t'
    do c = 1, 3
      call report('s', real(s(:, :, :, c), c_double), holds(numbered(of_s, c - 1), block, box))
    end do
    call report('k', k(:, :, :, 2), holds(of_k, block, box))
    if (any(abs(k(:, :, :, 1) - untouched) > 0)) print *, 'FAIL the other time level of k'
    call report('level', real(level, c_double), holds(of_level, block, box))
    call report('wave, real part', wave%re, holds(plain, block, box))
    call report('wave, imaginary part', wave%im / 2, holds(of_u, block, box))
    a = holds(plain, block, box)
    if (any(wet .neqv. modulo(a, 3.0_c_double) < 1)) print *, 'FAIL wet'
  end subroutine

  ! One exchange was done, and none of the others.
  subroutine count_traffic()
    type(hx_traffic) :: traffic
    integer :: ranks

    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
    call tank_traffic(halo, tank_exchange_all, traffic)
    if (traffic%exchanges /= 1 .or. (traffic%bytes_sent > 0 .neqv. ranks > 1)) print *, 'FAIL traffic', traffic%exchanges
    call tank_traffic(halo, tank_exchange_sums, traffic)
    if (traffic%exchanges /= 0) print *, 'FAIL traffic of what was not done'
    if (index(tank_describe(halo), 'tank') == 0) print *, 'FAIL describe: ', tank_describe(halo)
  end subroutine

  ! Ghost points hold what their owners do, so a sum is the value times how many blocks have the point.
  subroutine fill_and_add()
    real(c_double), allocatable :: expected(:,:,:), times(:,:,:)
    integer :: x, y, z, n(3)

    n = block%n
    f%rho = merge(holds(plain, block, box), 0.0_c_double, holds(plain, block, box) > 0)
    allocate (times(n(1), n(2), n(3)))
    do z = 1, n(3)
      do y = 1, n(2)
        do x = 1, n(1)
          times(x, y, z) = copies(1, x) * copies(2, y) * copies(3, z)
        end do
      end do
    end do
    call tank_sums(halo, f%rho)
    allocate (expected(0:n(1) + 1, 0:n(2) + 1, 0:n(3) + 1), source=holds(plain, block, owned))
    expected(1:n(1), 1:n(2), 1:n(3)) = expected(1:n(1), 1:n(2), 1:n(3)) * times
    call report('rho', f%rho(1:n(1), 1:n(2), 1:n(3)), expected(1:n(1), 1:n(2), 1:n(3)))
  end subroutine

  ! How many indices along an axis, of all blocks with their halo of one, mean the place of index i of this block.
  integer function copies(axis, i)
    integer, intent(in) :: axis, i
    integer :: part, index, low, high

    copies = 0
    do part = 0, mine%partition%ranks(axis) - 1
      low = cut(axis, part)
      high = cut(axis, part + 1)
      do index = low, high + 1
        if (axis == 2 .and. (index < 1 .or. index > cells(2))) cycle
        if (modulo(index - block%first(axis) - i, cells(axis)) == 0) copies = copies + 1
      end do
    end do
  end function

  ! The cells before a part: the first parts have one more where cells cannot be divided evenly.
  integer function cut(axis, part)
    integer, intent(in) :: axis, part

    cut = part * (cells(axis) / mine%partition%ranks(axis)) + min(part, modulo(cells(axis), mine%partition%ranks(axis)))
  end function

  subroutine fill_walls()
    type(paint), target :: walls
    type(tank_halo) :: next
    real(c_double), allocatable :: expected(:,:,:)
    integer(c_int) :: ranks, r

    walls%color = 1e6_c_double
    f%p = holds(plain, block, owned)
    call tank_set_boundary(halo, walls)
    call tank_rim(halo, f%p)
    allocate (expected(0:block%n(1) + 1, 0:block%n(2) + 1, 0:block%n(3) + 1), source=holds(plain, block, box))
    if (block%first(2) == 0) expected(:, 0, :) = walls%color + 1
    if (block%first(2) + block%n(2) == cells(2)) expected(:, block%n(2) + 1, :) = walls%color + 2
    call report('p with walls', f%p, expected)
    if (walls%walls == 0 .and. (block%first(2) == 0)) print *, 'FAIL no wall was filled'
    ! A handle made like this one calls the same object, also when this one is gone.
    ranks = product(mine%partition%ranks(1:3))
    call tank_create_like(halo, [mine%partition], [shape], next, [(r, r = 0, ranks - 1)])
    walls%color = 2e6_c_double
    f%p = holds(plain, block, owned)
    call tank_rim(next, f%p)
    where (expected >= 1e6_c_double) expected = expected + 1e6_c_double
    call report('p with walls of another handle', f%p, expected)
    call tank_destroy(next)
  end subroutine

  subroutine exchange_faces()
    f%p = holds(plain, block, owned)
    f%k = holds(of_k, block, owned)
    call tank_faces(halo, f%k, f%p)
    call report('p, faces', f%p, holds(plain, block, star))
    call report('k, faces', f%k, holds(of_k, block, star))
  end subroutine

end program
