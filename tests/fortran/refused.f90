! Bad input: each is refused with its sentence, and the handle goes on working.
program refused
  use, intrinsic :: iso_c_binding
  use hx
  use channel
  implicit none
  include 'mpif.h'

  type :: cell
    real(c_double) :: u = 0, v = 0, w = 0
  end type

  type(hx_partition) :: grid
  type(hx_part) :: mine
  type(channel_shape) :: shape
  type(channel_halo) :: halo, unused
  real(c_double), allocatable :: u(:,:,:), v(:,:,:), w(:,:,:), none(:,:,:), long(:,:,:), large(:,:,:)
  type(cell), allocatable, target :: cells(:,:,:)
  real(c_double), pointer :: null_u(:,:,:)
  integer(c_int64_t) :: wide
  integer(c_int) :: ierr
  character(:), allocatable :: named
  integer :: code, n(3)

  named = 'no rank'
  grid = channel_partition(8, 8, 6)
  call hx_decompose(MPI_COMM_WORLD, grid, mine, ierr)
  call expect(hx_err_state, 'hx_decompose was called before MPI_Init')
  call channel_create(MPI_COMM_WORLD, shape, halo, ierr=ierr)
  call expect(hx_err_state, 'channel_create was called before MPI_Init')
  call MPI_Init(code)
  call hx_decompose(MPI_COMM_WORLD, grid, mine)
  n = mine%n(1:3)
  shape = channel_shape_dense(mine)
  null_u => null()
  allocate (u(n(1) + 4, n(2) + 4, n(3) + 4), v(n(1) + 4, n(2) + 4, n(3) + 4), w(n(1) + 4, n(2) + 4, n(3) + 4))
  allocate (large(n(1) + 4, n(2) + 5, n(3) + 4))
  allocate (long(2 * (n(1) + 4), n(2) + 4, n(3) + 4), cells(n(1) + 4, n(2) + 4, n(3) + 4))
  u = 0
  v = 0
  w = 0
  long = 0

  call refuse_handles()
  call channel_create(MPI_COMM_WORLD, shape, halo)
  call name_rank()
  call channel_create(MPI_COMM_WORLD, shape, halo, ierr=ierr)
  call expect(hx_err_state, 'channel_create: halo is in use; destroy it first')
  call refuse_arrays()
  call refuse_finish()
  call refuse_alloc()
  call channel_velocity(halo, u, v, w)
  call channel_destroy(halo)
  call channel_velocity(halo, u, v, w, ierr)
  call expect(hx_err_state, 'channel_velocity: halo was not created, or was destroyed')
  call refuse_shapes()
  call refuse_cart()
  call MPI_Finalize(code)
  call channel_create(MPI_COMM_WORLD, shape, halo, ierr=ierr)
  call expect(hx_err_state, 'channel_create was called after MPI_Finalize')

contains

  ! The sentence begins so, behind the rank where there are several.
  subroutine expect(status, words)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: words
    character(:), allocatable :: sentence

    sentence = hx_last_error()
    if (index(sentence, named) == 1) sentence = sentence(len(named) + 1:)
    if (ierr /= status .or. index(sentence, words) /= 1) print *, 'FAIL status', ierr, ': "', sentence, '", not "', words, '"'
  end subroutine

  subroutine name_rank()
    character(40) :: words
    integer :: rank, ranks

    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
    write (words, '(a, i0, a, i0, a)') 'Rank ', rank, ' of ', ranks, ':'
    if (ranks > 1) named = trim(words) // ' '
    call channel_velocity(halo, long(1::2, :, :), v, w, ierr)
    if (ranks > 1 .and. index(hx_last_error(), named // 'channel_velocity: ') /= 1) print *, 'FAIL no rank in ', hx_last_error()
  end subroutine

  ! Somewhere in the sentence.
  subroutine expect_too(words)
    character(*), intent(in) :: words

    if (index(hx_last_error(), words) == 0) print *, 'FAIL no "', words, '" in "', hx_last_error(), '"'
  end subroutine

  subroutine refuse_handles()
    integer :: copy

    call channel_velocity_start(unused, u, v, w, ierr)
    call expect(hx_err_state, 'channel_velocity_start: halo was not created, or was destroyed')
    wide = 0
    call channel_create(wide, shape, halo, ierr=ierr)
    call expect(hx_err_argument, &
      "channel_create: comm must be an integer of MPI's kind or a type(MPI_Comm); this has 8 bytes; is -fdefault-integer-8 set?")
    call channel_create(1.0_c_float, shape, halo, ierr=ierr)
    call expect(hx_err_argument, "channel_create: comm must be an integer of MPI's kind or a type(MPI_Comm); this has 4 bytes")
    call hx_decompose([MPI_COMM_WORLD, MPI_COMM_WORLD], grid, mine, ierr)
    call expect(hx_err_argument, "hx_decompose: comm must be an integer of MPI's kind or a type(MPI_Comm); this has 4 bytes and is")
    call hx_decompose(MPI_COMM_WORLD, grid, mine)
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, code)
    call MPI_Comm_free(copy, code)
    call channel_create(copy, shape, halo, ierr=ierr)
    call expect(hx_err_argument, 'The communicator given to channel_create is MPI_COMM_NULL')
  end subroutine

  subroutine refuse_arrays()
    call channel_velocity(halo, long(1::2, :, :), v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity: elements of u are 16 bytes apart along x, but the shape has 8')
    call channel_velocity(halo, u, cells%v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity: elements of v are 24 bytes apart along x, but the shape has 8')
    call channel_velocity(halo, u(2:n(1) + 3, :, :), v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity: u has ')
    call expect_too(' cells and 2 of halo on each side (channel.lua:4).  Its bounds are -1:')
    call channel_velocity(halo, large, v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity: u has ')
    call expect_too(' elements along x, y, z, more than the ')
    call expect_too(' or make the shape of your arrays with channel_shape_of (channel.lua:4).  Its bounds are -1:')
    call channel_velocity(halo, u, v, w(:, n(2) + 4:1:-1, :), ierr)
    call expect(hx_err_argument, 'channel_velocity: elements of w are -')
    call channel_velocity_start(halo, null_u, v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity_start: u is not allocated or associated; allocate it with bounds -1:')
    call expect_too(' (channel.lua:4)')
    call channel_velocity_start(halo, none, v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity_start: u is not allocated or associated; allocate it with bounds -1:')
    call channel_velocity_start(halo, u, u, w, ierr)
    call expect(hx_err_argument, 'channel.lua:8: rank ')
    call expect_too(' for field u of block 0 and for field v of block 0; give each its own')
  end subroutine

  subroutine refuse_finish()
    real(c_double), allocatable :: gone(:,:,:), kept(:,:,:)

    call channel_velocity_finish(halo, u, v, w, ierr)
    call expect(hx_err_state, 'channel.lua:8: exchange "velocity" was finished on rank ')
    call expect_too(' without having been started')
    call channel_velocity_start(halo, u, v, w)
    call channel_velocity_finish(halo, u, w, v, ierr)
    call expect(hx_err_argument, 'channel_velocity_finish: v is not the array that start was given; pass the same one')
    call expect_too(' (channel.lua:4)')
    call channel_velocity_start(halo, u, v, w, ierr)
    call expect(hx_err_state, 'channel.lua:8: exchange "velocity" was started again on rank ')
    call channel_velocity_finish(halo, u, v, w)

    ! An array that goes while its exchange is under way; its memory stays, for this test.
    allocate (gone, source=u)
    call channel_velocity_start(halo, gone, v, w)
    call move_alloc(gone, kept)
    call channel_velocity_finish(halo, gone, v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity_finish: u is not allocated or associated any more; keep an array until its')
    call expect_too(' exchange is finished (channel.lua:4)')
    allocate (gone, source=u)
    call channel_velocity_finish(halo, gone, v, w, ierr)
    call expect(hx_err_argument, 'channel_velocity_finish: u is not the array that start was given; pass the same one')
    call channel_velocity_finish(halo, kept, v, w)
  end subroutine

  ! Rank 0 is wrong, and all are told.
  subroutine refuse_alloc()
    type(channel_fields) :: f(1000)
    integer :: rank, many

    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    many = merge(1000, 1, rank == 0)
    call channel_alloc_blocks(halo, f(:many), ierr)
    if (ierr /= hx_err_argument) print *, 'FAIL alloc', ierr, hx_last_error()
    if (rank == 0) call expect(hx_err_argument, 'channel_alloc_blocks: f has 1000 elements, the handle has 1 block on rank 0')
    call channel_alloc(halo, f(1))
    call channel_free_blocks(halo, f(:many), ierr)
    if (ierr /= hx_err_argument) print *, 'FAIL free', ierr, hx_last_error()
    if (rank == 0) call expect(hx_err_argument, 'channel_free_blocks: f has 1000 elements, the handle has 1 block on rank 0')
    call channel_velocity_start(halo, f(1)%u, f(1)%v, f(1)%w)
    call channel_free(halo, f(1), ierr)
    if (ierr /= hx_err_state) print *, 'FAIL free of an array in use', ierr
    call expect_too('channel.lua:8: exchange "velocity" is under way and uses field u of block 0, which channel_free is to free')
    call channel_velocity_finish(halo, f(1)%u, f(1)%v, f(1)%w)
    call channel_free(halo, f(1))
    if (associated(f(1)%u)) print *, 'FAIL free leaves a pointer'
  end subroutine

  ! A Cartesian communicator, and how many cells this rank has.
  subroutine refuse_cart()
    integer :: cart, ranks, c
    type(hx_part) :: own
    integer(c_int) :: cells(3)
    integer(c_int), pointer :: cuts(:)

    call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
    call MPI_Cart_create(MPI_COMM_WORLD, 3, [ranks, 1, 1], [.false., .false., .false.], .false., cart, code)
    call MPI_Comm_rank(cart, c, code)
    cells = [5 + c, 4, 3]
    call hx_partition_from_cart(cart, cells, own)
    if (own%partition%axes /= 3 .or. any(own%partition%ranks(1:3) /= [ranks, 1, 1]) .or. any(own%n(1:3) /= cells)) &
      print *, 'FAIL from cart', own%partition%ranks, own%n
    if (own%first(1) /= 5 * c + c * (c - 1) / 2) print *, 'FAIL first', own%first
    call c_f_pointer(own%partition%cuts(1), cuts, [ranks + 1])
    if (cuts(1) /= 0 .or. cuts(2) /= 5) print *, 'FAIL cuts', cuts
    call channel_create(cart, channel_shape_dense(own), halo)
    call channel_destroy(halo)
    call hx_partition_free(own%partition)
    if (c_associated(own%partition%cuts(1))) print *, 'FAIL cuts that are left'
    call hx_partition_from_cart(cart, cells(1:2), own, ierr)
    call expect(hx_err_argument, 'hx_partition_from_cart: n has 2 elements, cart has 3 dimensions')
    call hx_partition_from_cart(MPI_COMM_WORLD, cells, own, ierr)
    if (ierr /= hx_err_argument) print *, 'FAIL no cart', ierr
    call expect_too('The communicator given to hx_partition_from_cart is not a Cartesian one')
    call hx_partition_from_cart(cart, [0, 1, 1], own, ierr)
    if (ierr /= hx_err_partition) print *, 'FAIL no cells', ierr
    call MPI_Comm_free(cart, code)
  end subroutine

  subroutine refuse_shapes()
    type(channel_shape) :: other

    call channel_shape_of(mine, u=long(1::2, :, :), shape=other, ierr=ierr)
    call expect(hx_err_argument, 'channel_shape_of: elements of u are 16 bytes apart along x; they have to lie side by side there')
    call channel_shape_of(mine, u(2:, :, :), shape=other, ierr=ierr)
    call expect(hx_err_argument, 'channel_shape_of: u has ')
    call channel_shape_of(mine, v=long(:n(1) + 4, :, :), shape=other)
    if (other%stride(2, 2) /= 2 * (n(1) + 4) .or. other%stride(2, 1) /= n(1) + 4) print *, 'FAIL strides of an array that is cut'
  end subroutine

end program
