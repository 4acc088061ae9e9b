! Nothing is copied on the way to C, whatever array is given; types have the sizes that C says.
program copies
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  ! Of copies.c: the last array that hx_start was given for a field, from 0, and sizes.
  interface
    function last_given(field) result(array) bind(c)
      import
      integer(c_int), value :: field
      type(c_ptr) :: array
    end function
    function size_of_part() result(bytes) bind(c)
      import
      integer(c_size_t) :: bytes
    end function
    function size_of_shape() result(bytes) bind(c)
      import
      integer(c_size_t) :: bytes
    end function
    function size_of_traffic() result(bytes) bind(c)
      import
      integer(c_size_t) :: bytes
    end function
    function size_of_options() result(bytes) bind(c)
      import
      integer(c_size_t) :: bytes
    end function
  end interface

  integer, parameter :: n = 6
  type :: tile
    real(c_double), allocatable :: u(:,:,:)
  end type

  type(hx_partition) :: grid
  type(hx_part) :: mine
  type(channel_shape) :: shape
  type(channel_halo) :: halo
  type(hx_traffic) :: traffic
  type(hx_options) :: options
  type(tile), target :: tiles(2)
  real(c_double), allocatable, target :: u(:,:,:), levels(:,:,:,:), padded(:,:,:)
  real(c_double), target :: fixed(-1:n + 2, -1:n + 2, -1:n + 2)
  real(c_double), pointer :: pointed(:,:,:)
  real(c_double), allocatable :: v(:,:,:), w(:,:,:)
  integer :: code

  if (c_sizeof(mine) /= size_of_part()) print *, 'FAIL hx_part', c_sizeof(mine), size_of_part()
  if (c_sizeof(shape) /= size_of_shape()) print *, 'FAIL channel_shape', c_sizeof(shape), size_of_shape()
  if (c_sizeof(traffic) /= size_of_traffic()) print *, 'FAIL hx_traffic', c_sizeof(traffic), size_of_traffic()
  if (c_sizeof(options) /= size_of_options()) print *, 'FAIL hx_options', c_sizeof(options), size_of_options()

  call MPI_Init(code)
  grid = channel_partition(n, n, n)
  grid%ranks(1:3) = 1
  call hx_decompose(MPI_COMM_SELF, grid, mine)
  shape = channel_shape_dense(mine)
  call channel_create(MPI_COMM_SELF, shape, halo)
  allocate (u(-1:n + 2, -1:n + 2, -1:n + 2), levels(-1:n + 2, -1:n + 2, -1:n + 2, 2))
  allocate (v(n + 4, n + 4, n + 4), w(n + 4, n + 4, n + 4), source=0.0_c_double)
  allocate (tiles(2)%u(-1:n + 2, -1:n + 2, -1:n + 2))
  u = 0
  levels = 0
  fixed = 0
  tiles(2)%u = 0
  pointed => levels(:, :, :, 2)

  call try('allocatable', u, c_loc(u(-1, -1, -1)))
  call try('explicit shape', fixed, c_loc(fixed(-1, -1, -1)))
  call try('component', tiles(2)%u, c_loc(tiles(2)%u(-1, -1, -1)))
  call try('time level', levels(:, :, :, 2), c_loc(levels(-1, -1, -1, 2)))
  call try('pointer', pointed, c_loc(levels(-1, -1, -1, 2)))
  call straight()
  call channel_destroy(halo)

  ! Rows of an array that is longer: cut, or whole.
  allocate (padded(n + 9, n + 4, n + 4), source=0.0_c_double)
  call channel_shape_of(mine, u=padded(:n + 4, :, :), shape=shape)
  call channel_create(MPI_COMM_SELF, shape, halo)
  call try('padded rows', padded, c_loc(padded))
  call try('padded rows, cut', padded(:n + 4, :, :), c_loc(padded))
  call channel_destroy(halo)
  call MPI_Finalize(code)

contains

  ! As an assumed-shape dummy of the caller's.
  subroutine try(what, a, address)
    character(*), intent(in) :: what
    real(c_double), intent(inout) :: a(-1:, -1:, -1:)
    type(c_ptr), intent(in) :: address

    call channel_velocity_start(halo, a, v, w)
    call compare(what, address)
    a(1, 1, 1) = a(2, 2, 2)
    call channel_velocity_finish(halo, a, v, w)
    call channel_velocity(halo, a, v, w)
    call compare(what, address)
  end subroutine

  ! From the program that has the array.
  subroutine straight()
    call channel_velocity(halo, u, v, w)
    call compare('allocatable, straight', c_loc(u(-1, -1, -1)))
    call channel_velocity(halo, fixed, v, w)
    call compare('explicit shape, straight', c_loc(fixed(-1, -1, -1)))
    call channel_velocity(halo, tiles(2)%u, v, w)
    call compare('component, straight', c_loc(tiles(2)%u(-1, -1, -1)))
    call channel_velocity(halo, levels(:, :, :, 2), v, w)
    call compare('time level, straight', c_loc(levels(-1, -1, -1, 2)))
    call channel_velocity(halo, pointed, v, w)
    call compare('pointer, straight', c_loc(levels(-1, -1, -1, 2)))
  end subroutine

  subroutine compare(what, address)
    character(*), intent(in) :: what
    type(c_ptr), intent(in) :: address

    if (.not. c_associated(last_given(0_c_int), address)) print *, 'FAIL ', what, ' is copied'
  end subroutine

end program
