! The part of CUDA that the test calls, and walls that it fills by copies.
module device_calls
  use, intrinsic :: iso_c_binding
  use hx
  implicit none

  integer(c_int), parameter :: to_device = 1, to_host = 2
  real(c_double), parameter :: beyond = 7

  interface
    function cudaMalloc(memory, bytes) result(code) bind(c, name="cudaMalloc")
      import
      type(c_ptr), intent(out) :: memory
      integer(c_size_t), value :: bytes
      integer(c_int) :: code
    end function

    function cudaFree(memory) result(code) bind(c, name="cudaFree")
      import
      type(c_ptr), value :: memory
      integer(c_int) :: code
    end function

    function cudaMemcpyAsync(to, from, bytes, kind, stream) result(code) bind(c, name="cudaMemcpyAsync")
      import
      type(c_ptr), value :: to, from, stream
      integer(c_size_t), value :: bytes
      integer(c_int), value :: kind
      integer(c_int) :: code
    end function

    function cudaStreamCreateWithFlags(stream, flags) result(code) bind(c, name="cudaStreamCreateWithFlags")
      import
      type(c_ptr), intent(out) :: stream
      integer(c_int), value :: flags
      integer(c_int) :: code
    end function

    function cudaStreamSynchronize(stream) result(code) bind(c, name="cudaStreamSynchronize")
      import
      type(c_ptr), value :: stream
      integer(c_int) :: code
    end function

    function cudaStreamDestroy(stream) result(code) bind(c, name="cudaStreamDestroy")
      import
      type(c_ptr), value :: stream
      integer(c_int) :: code
    end function
  end interface

  ! An array of rows without padding, from the first ghost point on.
  type, extends(hx_walls_on) :: copied_walls
    integer :: rows(2) = 0                       ! points along x, rows along y, halo included
    integer :: halo = 0
    real(c_double) :: row(64) = beyond           ! what copies read
  contains
    procedure :: fill
  end type

contains

  subroutine fill(walls, wall, stream)
    class(copied_walls), intent(inout) :: walls
    type(hx_wall), intent(in) :: wall
    type(c_ptr), intent(in) :: stream
    real(c_double), pointer :: there(:)
    integer :: first, count, j, k

    call c_f_pointer(hx_wall_address(wall), there, [huge(1)])
    count = wall%hi(1) - wall%lo(1) + 1
    do k = wall%lo(3), wall%hi(3)
      do j = wall%lo(2), wall%hi(2)
        first = wall%lo(1) + walls%halo + walls%rows(1) * (j + walls%halo - 1 + walls%rows(2) * (k + walls%halo - 1))
        call done(cudaMemcpyAsync(c_loc(there(first)), row_of(walls), int(count * 8, c_size_t), to_device, stream))
      end do
    end do
  end subroutine

  function row_of(walls) result(address)
    type(copied_walls), intent(in), target :: walls
    type(c_ptr) :: address

    address = c_loc(walls%row)
  end function

  subroutine done(failed)
    integer(c_int), intent(in) :: failed

    if (failed /= 0) error stop 'a call of the device failed'
  end subroutine

end module

! Fields in the memory of a device, by their addresses, on the fake device: calls in one, in halves and in parts; arrays of libhx.
program device_test
  use, intrinsic :: iso_c_binding
  use hx
  use device_calls
  use gpu
  use oracle
  implicit none
  include 'mpif.h'

  type(hx_part) :: part
  type(gpu_halo) :: halo
  type(gpu_fields) :: f(1)
  type(block_of) :: block
  type(layout) :: u_layout, p_layout, q_layout
  real(c_double), allocatable, target :: u(:,:,:)
  real(c_float), allocatable, target :: p(:,:,:), q(:,:,:)
  type(c_ptr) :: u_there, q_there, stream
  integer(c_int) :: ierr
  integer :: code

  call MPI_Init(code)
  call hx_decompose(MPI_COMM_WORLD, gpu_partition(cells(1), cells(2), cells(3)), part)
  block = block_of(part%first(1:3), part%n(1:3))
  u_layout = layout(lo=2, hi=2, number=1)
  p_layout = layout(number=2)
  q_layout = layout(number=3)
  u = holds(u_layout, block, owned)
  p = real(holds(p_layout, block, owned), c_float)
  q = p
  call gpu_create(MPI_COMM_WORLD, gpu_shape_dense(part), halo)
  call done(cudaStreamCreateWithFlags(stream, 1_c_int))
  call done(cudaMalloc(u_there, size(u, kind=c_size_t) * 8))
  call done(cudaMalloc(q_there, size(q, kind=c_size_t) * 4))

  call set()
  call gpu_all(halo, u_there, p, q_there, stream)
  call check('an exchange in one call', box)
  call set()
  call gpu_all_start(halo, u_there, p, q_there, stream)
  call gpu_all_finish(halo, q_there, p, u_there, stream, ierr)
  if (index(hx_last_error(), 'gpu_all_finish: u is not the array that start was given') == 0) print *, 'FAIL ', hx_last_error()
  call gpu_all_finish(halo, u_there, p, q_there, stream)
  call check('start and finish', box)
  call set()
  call gpu_all_pack(halo, u_there, p, q_there, stream)
  call gpu_all_send(halo, stream)
  call gpu_all_receive(halo)
  call gpu_all_unpack(halo, u_there, p, q_there, stream)
  call check('pack, send, receive, unpack', box)
  call set()
  call gpu_faces(halo, u_there, stream)
  call bring_back()
  call report('faces of u', u, holds(u_layout, block, star))
  call gpu_faces(halo, c_null_ptr, stream, ierr)
  if (ierr /= hx_err_argument .or. index(hx_last_error(), 'u') == 0) print *, 'FAIL null: ', hx_last_error()
  call walled()
  call done(cudaFree(u_there))
  call done(cudaFree(q_there))

  ! Arrays of libhx: those of a device are addresses, those of the host pointers.
  call gpu_alloc(halo, f(1))
  u_there = f(1)%u
  q_there = f(1)%q
  call set()
  f(1)%p = p
  call gpu_all_blocks(halo, f, stream)
  p = f(1)%p
  call check('arrays of libhx', box)
  call gathered()
  call gpu_free(halo, f(1))
  if (c_associated(f(1)%u) .or. associated(f(1)%p)) print *, 'FAIL arrays that were freed are there'

  call done(cudaStreamDestroy(stream))
  call gpu_destroy(halo)
  call MPI_Finalize(code)

contains

  ! Owned points only.
  subroutine set()
    u = holds(u_layout, block, owned)
    p = real(holds(p_layout, block, owned), c_float)
    q = real(holds(q_layout, block, owned), c_float)
    call done(cudaMemcpyAsync(u_there, c_loc(u), size(u, kind=c_size_t) * 8, to_device, stream))
    call done(cudaMemcpyAsync(q_there, c_loc(q), size(q, kind=c_size_t) * 4, to_device, stream))
  end subroutine

  subroutine bring_back()
    u = 0
    q = 0
    call done(cudaMemcpyAsync(c_loc(u), u_there, size(u, kind=c_size_t) * 8, to_host, stream))
    call done(cudaMemcpyAsync(c_loc(q), q_there, size(q, kind=c_size_t) * 4, to_host, stream))
    call done(cudaStreamSynchronize(stream))
  end subroutine

  ! To arrays of the host, on the last rank and on all, and back.  The stream was waited for.
  subroutine gathered()
    type(block_of) :: grid
    real(c_double), allocatable :: whole(:,:,:), level(:,:,:), nothing(:,:,:)
    integer(c_int) :: last, rank
    integer :: error

    call MPI_Comm_size(MPI_COMM_WORLD, last, error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    last = last - 1
    grid = block_of([0, 0, 0], cells)
    allocate (nothing(0, 0, 0), level(cells(1), cells(2), (cells(3) + 1) / 2))
    if (rank == last) then
      allocate (whole(cells(1), cells(2), cells(3)))
    else
      allocate (whole(0, 0, 0))
    end if
    call gpu_gather(halo, f, gpu_field_u, last, whole)
    if (rank == last) call report('u, gathered', whole, holds(layout(lo=0, hi=0, number=1), grid, owned))
    call gpu_gather_selected(halo, f, gpu_field_u, level, step=[1_c_int, 1_c_int, 2_c_int])
    whole = holds(layout(lo=0, hi=0, number=1), grid, owned)
    call report('every other level of u', level, whole(:, :, ::2))
    whole = -whole
    call gpu_scatter(halo, f, gpu_field_u, last, whole)
    call bring_back()
    if (any(u(3:size(u, 1) - 2, 3:size(u, 2) - 2, 3:size(u, 3) - 2) /= &
        -holds(layout(lo=0, hi=0, number=1), block, owned))) print *, 'FAIL u, scattered'
    call gpu_gather(halo, f, gpu_field_p, last, nothing, ierr)
    if (ierr /= hx_err_argument .or. index(hx_last_error(), 'another type or rank') == 0) print *, 'FAIL ', hx_last_error()
  end subroutine

  ! Walls across y, which an object fills.
  subroutine walled()
    type(copied_walls), target :: walls
    real(c_double), allocatable :: expected(:,:,:)
    integer :: j, y

    call gpu_rim(halo, u_there, stream, ierr)
    if (ierr /= hx_err_state) print *, 'FAIL no object fills walls: ', ierr, hx_last_error()
    walls%rows = [size(u, 1), size(u, 2)]
    walls%halo = 2
    call gpu_set_boundary_on(halo, walls)
    call set()
    call gpu_rim(halo, u_there, stream)
    call bring_back()
    expected = holds(u_layout, block, box)
    do j = 1, size(expected, 2)
      y = block%first(2) + j - walls%halo
      if (y < 1 .or. y > cells(2)) expected(:, j, :) = beyond
    end do
    call report('walls', u, expected)
  end subroutine

  subroutine check(what, filled)
    character(*), intent(in) :: what
    integer, intent(in) :: filled

    call bring_back()
    call report(what // ', u', u, holds(u_layout, block, filled))
    call report(what // ', p', real(p, c_double), holds(p_layout, block, filled))
    call report(what // ', q', real(q, c_double), holds(q_layout, block, filled))
  end subroutine

end program
