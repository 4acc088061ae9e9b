! Fields that Fortran has no kind for: halves as their bits, derived types with bind(C), by arrays and by arrays of libhx.
program structs_test
  use, intrinsic :: iso_c_binding
  use hx
  use kinds
  implicit none
  include 'mpif.h'

  ! As tests/emit/specs/particles.h has them.
  type, bind(c) :: cell
    real(c_double) :: mass
    integer(c_int) :: count
    character(kind=c_char) :: kind
  end type
  type, bind(c) :: cell_2
    character(kind=c_char) :: first
    integer(c_short) :: second
    character(kind=c_char) :: third
  end type

  integer, parameter :: nx = 12, ny = 9
  type(hx_part) :: part
  type(kinds_shape) :: shape
  type(kinds_halo) :: halo
  type(kinds_fields) :: f
  complex(c_float_complex), allocatable :: single(:,:)
  complex(c_double_complex), allocatable :: twice(:,:)
  logical(c_bool), allocatable :: wet(:,:)
  integer(c_int16_t), allocatable :: rough(:,:)
  type(cell), allocatable :: cells(:,:)
  type(cell_2), allocatable :: marks(:,:)
  type(cell), pointer :: there(:,:), points(:,:)
  integer(c_int64_t) :: wide(16, 16)
  integer(c_int) :: ierr
  integer :: n(2), code

  call MPI_Init(code)
  call hx_decompose(MPI_COMM_WORLD, kinds_partition(nx, ny), part)
  shape = kinds_shape_dense(part)
  call kinds_create(MPI_COMM_WORLD, shape, halo)
  n = part%n(1:2)
  allocate (single(0:n(1) + 1, 0:n(2) + 1), source=(0.0_c_float, 0.0_c_float))
  allocate (twice(-1:n(1) + 2, 0:n(2)), source=(0.0_c_double, 0.0_c_double))
  allocate (wet(0:n(1) + 1, 0:n(2) + 1), source=.false._c_bool)
  allocate (rough(0:n(1) + 3, -1:n(2) + 2), source=0_c_int16_t)
  allocate (cells(-1:n(1) + 2, -1:n(2) + 2), marks(-1:n(1) + 2, -1:n(2) + 2))
  call set()

  call kinds_waves(halo, single, twice, rough)
  call kinds_rest_start(halo, cells, marks, wet)
  call kinds_rest_finish(halo, cells, marks, wet)
  call check_bits()
  call check_cells('cells', cells)
  call check_marks()

  wide = 0
  call kinds_waves(halo, single, twice, wide, ierr)
  call expect('kinds_waves: elements of rough have 8 bytes')
  call kinds_rest(halo, cells(::2, :), marks, wet, ierr)
  call expect('kinds_rest: cells has')
  call kinds_rest(halo, marks, marks, wet, ierr)
  call expect('kinds_rest: elements of cells have 6 bytes')
  call kinds_rest_start(halo, cells, marks, wet)
  call kinds_rest_finish(halo, cells(:, 0:), marks, wet, ierr)
  call expect('kinds_rest_finish: cells is not the array that start was given')
  call kinds_rest_finish(halo, cells, marks, wet)

  ! What libhx allocates is an address.
  call kinds_alloc(halo, f)
  call c_f_pointer(f%cells, there, n + 4)
  points(-1:, -1:) => there
  points = cells
  call forget(points)
  f%wet = wet
  call kinds_rest_blocks(halo, [f])
  call check_cells('cells of libhx', points)
  call kinds_destroy(halo)
  call MPI_Finalize(code)

contains

  ! Of a point, by its place in the grid, which is periodic along x.
  pure integer function value(i, j)
    integer, intent(in) :: i, j

    value = 1 + modulo(part%first(1) + i - 1, nx) + 20 * (part%first(2) + j - 1)
  end function

  pure logical function inside(j)
    integer, intent(in) :: j

    inside = part%first(2) + j >= 1 .and. part%first(2) + j <= ny
  end function

  subroutine set()
    integer :: i, j

    do j = lbound(cells, 2), ubound(cells, 2)
      do i = lbound(cells, 1), ubound(cells, 1)
        cells(i, j) = cell(-1, -1, '-')
        marks(i, j) = cell_2('-', -1_c_short, '-')
        if (i < 1 .or. i > n(1) .or. j < 1 .or. j > n(2)) cycle
        cells(i, j) = cell(value(i, j), 2 * value(i, j), 'c')
        marks(i, j) = cell_2('a', int(value(i, j), c_short), 'b')
        rough(i, j) = int(value(i, j), c_int16_t)
        wet(i, j) = modulo(value(i, j), 2) == 1
      end do
    end do
  end subroutine

  ! Ghost points only; owned ones stay.
  subroutine forget(a)
    type(cell), intent(inout) :: a(-1:, -1:)
    integer :: i, j

    do j = -1, n(2) + 2
      do i = -1, n(1) + 2
        if (i < 1 .or. i > n(1) .or. j < 1 .or. j > n(2)) a(i, j) = cell(-1, -1, '-')
      end do
    end do
  end subroutine

  subroutine check_bits()
    integer :: i, j

    do j = lbound(rough, 2), ubound(rough, 2)
      do i = lbound(rough, 1), ubound(rough, 1)
        if (rough(i, j) /= merge(value(i, j), 0, inside(j))) print *, 'FAIL rough', i, j, rough(i, j)
      end do
    end do
    do j = 0, n(2) + 1
      do i = 0, n(1) + 1
        if (wet(i, j) .neqv. (inside(j) .and. modulo(value(i, j), 2) == 1)) print *, 'FAIL wet', i, j, wet(i, j)
      end do
    end do
  end subroutine

  ! One layer is filled.
  subroutine check_cells(what, a)
    character(*), intent(in) :: what
    type(cell), intent(in) :: a(-1:, -1:)
    integer :: i, j, v
    logical :: filled

    do j = -1, n(2) + 2
      do i = -1, n(1) + 2
        filled = i >= 0 .and. i <= n(1) + 1 .and. j >= 0 .and. j <= n(2) + 1 .and. inside(j)
        v = merge(value(i, j), -1, filled)
        if (nint(a(i, j)%mass) /= v .or. a(i, j)%count /= merge(2 * v, -1, filled) .or. (a(i, j)%kind == 'c' .neqv. filled)) &
          print *, 'FAIL ', what, i, j, a(i, j)%mass, a(i, j)%count, a(i, j)%kind
      end do
    end do
  end subroutine

  subroutine check_marks()
    integer :: i, j

    do j = 0, n(2) + 1
      do i = 0, n(1) + 1
        if (.not. inside(j)) cycle
        if (marks(i, j)%first /= 'a' .or. marks(i, j)%second /= value(i, j) .or. marks(i, j)%third /= 'b') &
          print *, 'FAIL marks', i, j, marks(i, j)%second
      end do
    end do
  end subroutine

  subroutine expect(words)
    character(*), intent(in) :: words

    if (ierr /= hx_err_argument .or. index(hx_last_error(), words) == 0) print *, 'FAIL', ierr, hx_last_error(), ' not ', words
  end subroutine

end program
