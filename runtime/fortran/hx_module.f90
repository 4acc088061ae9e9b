! What all modules that halogen emits for Fortran share.
!
! Your build compiles this file once, and the C files beside it.  Indices and numbers count from 1, but for what the members of
! hx_partition and hx_part hold, which is as in C: part%first(a) + i, with i from 1, is the global index of an owned point.
!
! Every procedure has an optional last argument ierr.  It becomes hx_ok, or another status, and hx_last_error() is then the
! sentence.  Where it is missing, a failure ends the program with that sentence.
module hx
  use, intrinsic :: iso_c_binding
  implicit none
  private

  ! Stops the compiler where its flags change what the kinds of C are, as -freal-4-real-8 does.
  integer, parameter :: c_float_has_4_bytes = 1 / merge(1, 0, storage_size(1.0_c_float) == 32)
  integer, parameter :: c_double_has_8_bytes = 1 / merge(1, 0, storage_size(1.0_c_double) == 64)

  integer, parameter, public :: hx_max_axes = 4 * c_float_has_4_bytes * c_double_has_8_bytes

  ! Statuses, as in hx/hx.h.
  integer(c_int), parameter, public :: hx_ok = 0
  integer(c_int), parameter, public :: hx_err_argument = 1
  integer(c_int), parameter, public :: hx_err_state = 2
  integer(c_int), parameter, public :: hx_err_partition = 3
  integer(c_int), parameter, public :: hx_err_mismatch = 4
  integer(c_int), parameter, public :: hx_err_memory = 5
  integer(c_int), parameter, public :: hx_err_mpi = 6
  integer(c_int), parameter, public :: hx_err_deadline = 7
  integer(c_int), parameter, public :: hx_err_limit = 8
  integer(c_int), parameter, public :: hx_err_internal = 9
  integer(c_int), parameter, public :: hx_err_device = 10

  ! What log_level of hx_options lets through, to standard error.
  integer(c_int), parameter, public :: hx_log_none = 0, hx_log_warning = 1, hx_log_info = 2

  ! A stock of buffers, from hx_pool_create of the module hx_pools.
  type, bind(c), public :: hx_pool
    private
    type(c_ptr) :: pool = c_null_ptr
  end type

  ! Options of create: see hx/hx.h.  hx_set_option sets those that are words.
  type, bind(c), public :: hx_options
    real(c_double) :: deadline = 0
    integer(c_int) :: check = 0, timing = 0, log_level = hx_log_none, deadline_exit = 0
    integer(c_int) :: share_buffers = 0, tune = 0, keep_errhandler = 0, cycles = 0, threads = 1
    character(kind=c_char), private :: transport(32) = c_null_char, schedule(32) = c_null_char
    character(kind=c_char), private :: device_messages(32) = c_null_char, tune_file(1024) = c_null_char
    type(hx_pool) :: pool                             ! message buffers come from it; without it from the handle's own
  end type

  ! How the cells of a tile are divided: see hx/hx.h.
  type, bind(c), public :: hx_partition
    integer(c_int) :: axes = 0
    integer(c_int) :: cells(hx_max_axes) = 0          ! of the whole tile
    integer(c_int) :: ranks(hx_max_axes) = 0          ! parts along each axis; 0: hx_decompose chooses
    integer(c_int) :: first_fastest = 0
    type(c_ptr) :: cuts(hx_max_axes) = c_null_ptr     ! c_loc of integer(c_int) cut(ranks + 1), from 0 to cells
    integer(c_int) :: periodic(hx_max_axes) = 0
    real(c_double) :: face_bytes(hx_max_axes) = 0
  end type

  ! One part of a partition: the cells of one block.
  type, bind(c), public :: hx_part
    type(hx_partition) :: partition
    integer(c_int) :: tile = 0                        ! from 0
    integer(c_int) :: index(hx_max_axes) = 0          ! which part along each axis, from 0
    integer(c_int) :: first(hx_max_axes) = 0          ! its first cell, from 0
    integer(c_int) :: n(hx_max_axes) = 0              ! its cells along each axis
  end type

  ! Points of a rank by their ids, as for hx_index_list_of_ids: what NAME_redistribute of a list of points goes by.
  type, public :: hx_ids
    integer(c_int64_t), allocatable :: id(:)
    logical(c_bool), allocatable :: owns(:)
  end type

  ! The same as C has it.
  type, bind(c) :: ids_in_c
    integer(c_int) :: points = 0, owners = 0          ! elements of either
    type(c_ptr) :: id = c_null_ptr, owns = c_null_ptr
  end type

  ! How fields move to the blocks of another handle.
  type, bind(c), public :: hx_f_redistribution
    integer(c_int) :: blocks(2) = 0                   ! structs that were given for source and target
    integer(c_int) :: halos = 0
    integer(c_int) :: by_ids = 0
    type(c_ptr) :: stream = c_null_ptr
    type(ids_in_c) :: ids(2)
  end type

  ! What an exchange has moved since create: see hx/hx.h.
  type, bind(c), public :: hx_traffic
    integer(c_int64_t) :: exchanges = 0               ! finished
    integer(c_int) :: peers = 0, messages = 0, phases = 0
    integer(c_int64_t) :: bytes_sent = 0, bytes_copied = 0    ! per exchange
    real(c_double) :: pack_seconds = 0, wait_seconds = 0, unpack_seconds = 0
  end type

  ! What a rank shares with one other, or with itself, on a grid that is a list of points: numbers of its own points, from 1.
  ! The first point that is received is the first one that the other rank sends, and so on.
  type, public :: hx_peer
    integer(c_int) :: rank = 0                        ! of MPI, so from 0
    integer(c_int), allocatable :: send(:), receive(:)
  end type

  ! Lists of a rank, from hx_index_list_of_peers or hx_index_list_of_ids; hx_index_list_free frees them, after the last create.
  type, bind(c), public :: hx_index_list
    private
    type(c_ptr) :: list = c_null_ptr
  end type

  ! Memory that other ranks reach, from hx_window_create of the module hx_windows.
  type, bind(c), public :: hx_window
    private
    type(c_ptr) :: window = c_null_ptr
  end type

  ! A message that the application moves, with the transport "manual": see hx_message_buffer of hx/hx.h.
  type, public :: hx_message_buffer
    integer(c_int) :: peer = 0                        ! rank in the communicator that create was given
    logical :: incoming = .false.                     ! to receive from it, or to send to it
    integer(c_int8_t), pointer, contiguous :: bytes(:) => null()
  end type

  ! The same as C has it.
  type, bind(c) :: message_in_c
    integer(c_int) :: peer, incoming
    integer(c_size_t) :: bytes
    type(c_ptr) :: memory
  end type

  ! Ghost points of a field of a block beyond a wall, which fill of hx_walls fills: lo(a) to hi(a) along axis a, counted as the
  ! points of the block, 1 and 1 for axes that the grid does not have.
  type, bind(c), public :: hx_wall
    integer(c_int) :: exchange, field, block
    integer(c_int) :: axis                            ! the wall lies across it
    integer(c_int) :: side                            ! 1: low, 2: high
    integer(c_int) :: lo(hx_max_axes), hi(hx_max_axes)
    type(c_ptr) :: halo                               ! of the library
  end type

  ! Extend this type, and give an object of yours to NAME_set_boundary.  finish calls fill, for one wall at a time.
  type, abstract, public :: hx_walls
  contains
    procedure(fill_walls), deferred :: fill
  end type

  abstract interface
    subroutine fill_walls(walls, wall)
      import
      class(hx_walls), intent(inout) :: walls
      type(hx_wall), intent(in) :: wall
    end subroutine
  end interface

  ! The same for fields in the memory of a device, given to NAME_set_boundary_on: fill puts work into the stream, and waits for
  ! nothing.  hx_wall_address tells where the array lies.
  type, abstract, public :: hx_walls_on
  contains
    procedure(fill_walls_on), deferred :: fill
  end type

  abstract interface
    subroutine fill_walls_on(walls, wall, stream)
      import
      class(hx_walls_on), intent(inout) :: walls
      type(hx_wall), intent(in) :: wall
      type(c_ptr), intent(in) :: stream
    end subroutine
  end interface

  ! C has the address of a holder, since that of a polymorphic object says nothing of its type.
  type :: wall_holder
    class(hx_walls), pointer :: walls => null()
  end type

  type :: wall_holder_on
    class(hx_walls_on), pointer :: walls => null()
  end type

  ! Points to compute: lo(a) to hi(a) along axis a, counted as the points of the block, 1 and 1 for axes that
  ! the grid does not have.
  type, bind(c), public :: hx_box
    integer(c_int) :: lo(hx_max_axes) = 1, hi(hx_max_axes) = 0
  end type

  ! A step of a cycle, from 0; a block and a field, from 1.
  type, bind(c), public :: hx_f_step
    integer(c_int) :: cycle, step, block, field
  end type

  ! An exchange, a block and a field, from 1; rim: 0, the interior; 1, the rim.
  type, bind(c), public :: hx_f_work
    integer(c_int) :: exchange, rim, block, field
  end type

  ! What is done of an exchange, as in hx/fortran.h.
  integer(c_int), parameter, public :: hx_f_whole = 0, hx_f_start = 1, hx_f_finish = 2, hx_f_pack = 3
  integer(c_int), parameter, public :: hx_f_unpack = 6, hx_f_corners = 7, hx_f_audit = 8

  ! What a gather or scatter of some points is asked for; numbers from 1.
  type, bind(c), public :: hx_f_selection
    integer(c_int) :: scatters = 0, blocks = 0, field = 0, tile = 1
    integer(c_int) :: first(hx_max_axes) = 1, step(hx_max_axes) = 1
  end type

  public :: hx_decompose, hx_decompose_as, hx_part_of, hx_partition_from_cart, hx_partition_free
  public :: hx_last_error, hx_set_option, hx_wall_address
  public :: hx_index_list_of_peers, hx_index_list_of_ids, hx_index_list_free
  ! For emitted modules.
  public :: hx_f_answer, hx_f_alloc, hx_f_free, hx_f_address, hx_f_release_address, hx_f_test_done, hx_f_traffic, hx_f_text
  public :: hx_f_hook, hx_f_hook_on, hx_f_describe, hx_f_describe_json, hx_f_write_stats
  public :: hx_f_cycle_restart, hx_f_cycle_points, hx_f_work_boxes
  public :: hx_f_list_messages, hx_f_select, hx_f_redistribute, hx_f_redistribute_ids, hx_f_memory_type, hx_f_file_type

  interface
    ! Divides a tile among all ranks of a communicator, one part each.  comm: an integer, or type(MPI_Comm).
    subroutine hx_decompose(comm, request, mine, ierr) bind(c, name="hx_f_decompose")
      import
      type(*), intent(in) :: comm(..)
      type(hx_partition), intent(in) :: request
      type(hx_part), intent(out) :: mine
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! The same for one rank of so many, without MPI.
    subroutine hx_decompose_as(rank, ranks, request, mine, ierr) bind(c, name="hx_f_decompose_as")
      import
      integer(c_int), value :: rank, ranks
      type(hx_partition), intent(in) :: request
      type(hx_part), intent(out) :: mine
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! A block of a partition whose ranks are all given.  tile, block: from 1; the last axis fastest, or the first.
    subroutine hx_part_of(partition, tile, block, part, ierr) bind(c, name="hx_f_part_of")
      import
      type(hx_partition), intent(in) :: partition
      integer(c_int), value :: tile, block
      type(hx_part), intent(out) :: part
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! For codes that have a Cartesian communicator and a partition of their own: n(a) is how many cells this rank owns along axis a
    ! of the spec, one for each dimension of cart.  Collective over cart.  hx_partition_free frees mine%partition, after the last
    ! create.
    subroutine hx_partition_from_cart(cart, n, mine, ierr) bind(c, name="hx_f_partition_from_cart")
      import
      type(*), intent(in) :: cart(..)
      integer(c_int), intent(in) :: n(:)
      type(hx_part), intent(out) :: mine
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    subroutine hx_partition_free(partition) bind(c)
      import
      type(hx_partition), intent(inout) :: partition
    end subroutine

    ! The lists of a rank whose points have these ids: numbers of the whole grid from 0, or -1 for points that take no part.  What
    ! a rank does not own comes from the rank that owns the id.  Collective.
    subroutine hx_index_list_of_ids(comm, id, owns, list, ierr) bind(c, name="hx_f_index_list_of_ids")
      import
      type(*), intent(in) :: comm(..)
      integer(c_int64_t), intent(in) :: id(:)
      logical(c_bool), intent(in) :: owns(:)
      type(hx_index_list), intent(inout) :: list
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! The array that a wall is one of: for fields in the memory of a device, and those that Fortran has no kind for.
    function hx_wall_address(wall) result(array) bind(c, name="hx_f_wall_address")
      import
      type(hx_wall), intent(in) :: wall
      type(c_ptr) :: array
    end function

    subroutine hx_index_list_free(list) bind(c, name="hx_f_index_list_free")
      import
      type(hx_index_list), intent(inout) :: list
    end subroutine

    ! ---- for emitted modules; applications call nothing from here on ----

    subroutine hx_f_answer(status, ierr) bind(c)
      import
      integer(c_int), value :: status
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    function hx_f_alloc(halo, call, blocks) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: blocks
      integer(c_int) :: status
    end function

    function hx_f_free(halo, call, blocks) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: blocks
      integer(c_int) :: status
    end function

    function hx_f_redistribute(source, target, how, call) result(status) bind(c)
      import
      type(c_ptr), value :: source, target
      type(hx_f_redistribution), intent(in) :: how
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int) :: status
    end function

    function hx_f_memory_type(halo, call, blocks, field, pass, datatype) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: blocks, field, pass
      integer(c_int), intent(out) :: datatype
      integer(c_int) :: status
    end function

    function hx_f_file_type(halo, call, field, pass, datatype) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: field, pass
      integer(c_int), intent(out) :: datatype
      integer(c_int) :: status
    end function

    function hx_f_address(halo, field, block) result(array) bind(c)
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: field, block
      type(c_ptr) :: array
    end function

    subroutine hx_f_release_address(halo, field, block, array) bind(c)
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: field, block
      type(c_ptr), value :: array
    end subroutine

    function hx_f_cycle_restart(halo, call, cycle) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: cycle
      integer(c_int) :: status
    end function

    function hx_f_cycle_points(halo, call, step, points) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      type(hx_f_step), intent(in) :: step
      type(hx_box), intent(inout) :: points
      integer(c_int) :: status
    end function

    function c_work_boxes(halo, call, work, boxes, count) result(status) bind(c, name="hx_f_work_boxes")
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      type(hx_f_work), intent(in) :: work
      type(hx_box), intent(inout) :: boxes(*)
      integer(c_int), intent(out) :: count
      integer(c_int) :: status
    end function

    function c_test(halo, call, exchange, done) result(status) bind(c, name="hx_f_test")
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: exchange
      integer(c_int), intent(out) :: done
      integer(c_int) :: status
    end function

    function hx_f_traffic(halo, call, exchange, traffic) result(status) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: exchange
      type(hx_traffic), intent(out) :: traffic
      integer(c_int) :: status
    end function

    function hx_f_describe(halo) result(text) bind(c)
      import
      type(c_ptr), value :: halo
      type(c_ptr) :: text
    end function

    function hx_f_describe_json(halo, call) result(text) bind(c)
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      type(c_ptr) :: text
    end function

    function c_stats(halo, call, file) result(status) bind(c, name="hx_f_stats")
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*), file(*)
      integer(c_int) :: status
    end function

    function c_messages(halo, call, exchange, messages, count) result(status) bind(c, name="hx_f_messages")
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      integer(c_int), value :: exchange
      type(message_in_c), intent(inout) :: messages(*)
      integer(c_int), intent(inout) :: count
      integer(c_int) :: status
    end function

    function c_set_boundary(halo, call, holder) result(status) bind(c, name="hx_f_set_boundary")
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      type(c_ptr), value :: holder
      integer(c_int) :: status
    end function

    function c_set_boundary_on(halo, call, holder) result(status) bind(c, name="hx_f_set_boundary_on")
      import
      type(c_ptr), value :: halo
      character(kind=c_char), intent(in) :: call(*)
      type(c_ptr), value :: holder
      integer(c_int) :: status
    end function

    function c_list_begin(peers, list) result(status) bind(c, name="hx_f_list_begin")
      import
      integer(c_int), value :: peers
      type(hx_index_list), intent(inout) :: list
      integer(c_int) :: status
    end function

    function c_list_add(list, rank, sends, send, receives, receive) result(status) bind(c, name="hx_f_list_add")
      import
      type(hx_index_list), intent(inout) :: list
      integer(c_int), value :: rank, sends, receives
      integer(c_int), intent(in) :: send(*), receive(*)
      integer(c_int) :: status
    end function

    function c_set_option(options, name, word) result(status) bind(c, name="hx_f_set_option")
      import
      type(hx_options), intent(inout) :: options
      character(kind=c_char), intent(in) :: name(*), word(*)
      integer(c_int) :: status
    end function

    function c_last_error() result(sentence) bind(c, name="hx_last_error")
      import
      type(c_ptr) :: sentence
    end function

    function c_strlen(text) result(length) bind(c, name="strlen")
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  ! What went wrong in the last call that failed; empty if none did.
  function hx_last_error() result(sentence)
    character(:), allocatable :: sentence

    sentence = hx_f_text(c_last_error())
  end function

  ! Sets an option that is a word: transport, schedule, device_messages, or tune_file.  Blanks at the end are dropped, and no word is
  ! the default.
  subroutine hx_set_option(options, name, word, ierr)
    type(hx_options), intent(inout) :: options
    character(*), intent(in) :: name, word
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(c_set_option(options, trim(name) // c_null_char, trim(word) // c_null_char), ierr)
  end subroutine

  ! For emitted modules: what a gather or scatter of some points is asked for.
  function hx_f_select(field, blocks, first, step, tile) result(how)
    integer(c_int), intent(in) :: field, blocks
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    type(hx_f_selection) :: how
    integer :: n

    how = hx_f_selection(field=field, blocks=blocks)
    if (present(first)) then
      n = min(size(first), hx_max_axes)
      how%first(1:n) = first(1:n)
    end if
    if (present(step)) then
      n = min(size(step), hx_max_axes)
      how%step(1:n) = step(1:n)
    end if
    if (present(tile)) how%tile = tile
  end function

  ! For emitted modules: fields of lists of points to other ranks.
  function hx_f_redistribute_ids(source, target, how, before, after, call) result(status)
    type(c_ptr), intent(in) :: source, target
    type(hx_f_redistribution), intent(in) :: how
    type(hx_ids), intent(in) :: before, after
    character(*), intent(in) :: call
    integer(c_int) :: status
    type(hx_f_redistribution) :: by_ids

    by_ids = how
    by_ids%by_ids = 1
    by_ids%ids = [in_c(before), in_c(after)]
    status = hx_f_redistribute(source, target, by_ids, call // c_null_char)
  end function

  ! What is not allocated are no points.
  function in_c(ids) result(made)
    type(hx_ids), intent(in), target :: ids
    type(ids_in_c) :: made

    if (allocated(ids%id)) made%points = size(ids%id, kind=c_int)
    if (allocated(ids%owns)) made%owners = size(ids%owns, kind=c_int)
    if (made%points > 0) made%id = c_loc(ids%id)
    if (made%owners > 0) made%owns = c_loc(ids%owns)
  end function

  ! Lists that you have: each rank once, in any order.
  subroutine hx_index_list_of_peers(peer, list, ierr)
    type(hx_peer), intent(in) :: peer(:)
    type(hx_index_list), intent(inout) :: list
    integer(c_int), intent(out), optional :: ierr
    integer(c_int), allocatable :: send(:), receive(:)
    integer(c_int) :: status
    integer :: p

    status = c_list_begin(size(peer, kind=c_int), list)
    do p = 1, size(peer)
      if (status /= hx_ok) exit
      call copy_points(peer(p)%send, send)
      call copy_points(peer(p)%receive, receive)
      status = c_list_add(list, peer(p)%rank, size(send, kind=c_int), send, size(receive, kind=c_int), receive)
    end do
    call hx_f_answer(status, ierr)
  end subroutine

  ! Points that are not allocated are none.
  subroutine copy_points(from, to)
    integer(c_int), allocatable, intent(in) :: from(:)
    integer(c_int), allocatable, intent(out) :: to(:)

    if (allocated(from)) then
      to = from
    else
      allocate (to(0))
    end if
  end subroutine

  ! ---- for emitted modules ----

  ! What C has as text.
  function hx_f_text(text) result(words)
    type(c_ptr), intent(in) :: text
    character(:), allocatable :: words
    character(kind=c_char), pointer :: bytes(:)
    integer :: i

    call c_f_pointer(text, bytes, [c_strlen(text)])
    allocate (character(size(bytes)) :: words)
    do i = 1, size(bytes)
      words(i:i) = bytes(i)
    end do
  end function

  function hx_f_test_done(halo, call, exchange, done) result(status)
    type(c_ptr), intent(in) :: halo
    character(*), intent(in) :: call
    integer(c_int), intent(in) :: exchange
    logical, intent(out) :: done
    integer(c_int) :: status, number

    status = c_test(halo, call // c_null_char, exchange, number)
    done = number /= 0
  end function

  ! An array of the boxes that there are: none where a block is too thin for an interior.
  function hx_f_work_boxes(halo, call, work, boxes) result(status)
    type(c_ptr), intent(in) :: halo
    character(*), intent(in) :: call
    type(hx_f_work), intent(in) :: work
    type(hx_box), allocatable, intent(out) :: boxes(:)
    type(hx_box) :: found(2 * hx_max_axes)
    integer(c_int) :: status, number

    status = c_work_boxes(halo, call // c_null_char, work, found, number)
    boxes = found(:number)
  end function

  function hx_f_write_stats(halo, call, file) result(status)
    type(c_ptr), intent(in) :: halo
    character(*), intent(in) :: call
    character(*), intent(in), optional :: file
    integer(c_int) :: status

    if (present(file)) then
      status = c_stats(halo, call // c_null_char, trim(file) // c_null_char)
    else
      status = c_stats(halo, call // c_null_char, c_null_char)
    end if
  end function

  ! The messages of an exchange: none where this fails.
  function hx_f_list_messages(halo, call, exchange, buffer) result(status)
    type(c_ptr), intent(in) :: halo
    character(*), intent(in) :: call
    integer(c_int), intent(in) :: exchange
    type(hx_message_buffer), allocatable, intent(out) :: buffer(:)
    type(message_in_c), allocatable :: messages(:)
    integer(c_int) :: status, count
    integer :: m

    count = 0
    allocate (messages(0))
    status = c_messages(halo, call // c_null_char, exchange, messages, count)
    if (status == hx_ok) then
      deallocate (messages)
      allocate (messages(count))
      status = c_messages(halo, call // c_null_char, exchange, messages, count)
    end if
    allocate (buffer(merge(count, 0_c_int, status == hx_ok)))
    do m = 1, size(buffer)
      buffer(m)%peer = messages(m)%peer
      buffer(m)%incoming = messages(m)%incoming /= 0
      call c_f_pointer(messages(m)%memory, buffer(m)%bytes, [messages(m)%bytes])
    end do
  end function

  ! Where a call fails that was given no ierr.
  subroutine hx_f_stop() bind(c)
    error stop hx_last_error()
  end subroutine

  ! Gives an object that fills walls to a handle.
  function hx_f_hook(halo, call, walls) result(status)
    type(c_ptr), intent(in) :: halo
    character(*), intent(in) :: call
    class(hx_walls), intent(in), target :: walls
    integer(c_int) :: status
    type(wall_holder), pointer :: holder

    allocate (holder)
    holder%walls => walls
    status = c_set_boundary(halo, call // c_null_char, c_loc(holder))
  end function

  subroutine hx_f_fill(address, wall) bind(c)
    type(c_ptr), value :: address
    type(hx_wall), intent(in) :: wall
    type(wall_holder), pointer :: holder

    call c_f_pointer(address, holder)
    call holder%walls%fill(wall)
  end subroutine

  subroutine hx_f_drop_holder(address) bind(c)
    type(c_ptr), value :: address
    type(wall_holder), pointer :: holder

    if (.not. c_associated(address)) return
    call c_f_pointer(address, holder)
    deallocate (holder)
  end subroutine

  ! Another holder of the same object, for a handle that takes it over.
  function hx_f_copy_holder(address) result(made) bind(c)
    type(c_ptr), value :: address
    type(c_ptr) :: made
    type(wall_holder), pointer :: holder, copy

    call c_f_pointer(address, holder)
    allocate (copy)
    copy%walls => holder%walls
    made = c_loc(copy)
  end function

  ! ---- the same for fields in the memory of a device ----

  function hx_f_hook_on(halo, call, walls) result(status)
    type(c_ptr), intent(in) :: halo
    character(*), intent(in) :: call
    class(hx_walls_on), intent(in), target :: walls
    integer(c_int) :: status
    type(wall_holder_on), pointer :: holder

    allocate (holder)
    holder%walls => walls
    status = c_set_boundary_on(halo, call // c_null_char, c_loc(holder))
  end function

  subroutine hx_f_fill_on(address, wall, stream) bind(c)
    type(c_ptr), value :: address
    type(hx_wall), intent(in) :: wall
    type(c_ptr), value :: stream
    type(wall_holder_on), pointer :: holder

    call c_f_pointer(address, holder)
    call holder%walls%fill(wall, stream)
  end subroutine

  function hx_f_copy_holder_on(address) result(made) bind(c)
    type(c_ptr), value :: address
    type(c_ptr) :: made
    type(wall_holder_on), pointer :: holder, copy

    call c_f_pointer(address, holder)
    allocate (copy)
    copy%walls => holder%walls
    made = c_loc(copy)
  end function

  subroutine hx_f_drop_holder_on(address) bind(c)
    type(c_ptr), value :: address
    type(wall_holder_on), pointer :: holder

    if (.not. c_associated(address)) return
    call c_f_pointer(address, holder)
    deallocate (holder)
  end subroutine

end module
