! Halo exchanges for the fields of channel.lua, for Fortran 2018.
!
! Emitted by halogen 0.1.0 from channel.lua, model 0c89b90230c8b2dc.  Do not edit: change the spec and generate again.
! This file belongs to whoever wrote the spec.  Compile it behind hx_module.f90, and channel_fortran.c with the C compiler.
! Indices go from the fastest axis in memory to the slowest.  Owned points start at 1, ghost points lie below and above them.
! The cells of a block, such as nx along x, are n of its hx_part.
!
!     u(-1:nx+2, -1:ny+2, -1:nz+2)    double
!     v(-1:nx+2, -1:ny+2, -1:nz+2)    double
!     w(-1:nx+2, -1:ny+2, -1:nz+2)    double
!     p(0:nx+1, 0:ny+1, 0:nz+1)    float
!
! Numbers count from 1, but for what hx_part and hx_partition hold.  Without ierr a failure ends the program with the sentence
! that hx_last_error() gives.
module channel
  use, intrinsic :: iso_c_binding
  use hx
  implicit none
  private

  ! Axes, fields and exchanges by number.
  integer(c_int), parameter, public :: channel_axis_x = 1
  integer(c_int), parameter, public :: channel_axis_y = 2
  integer(c_int), parameter, public :: channel_axis_z = 3
  integer(c_int), parameter, public :: channel_field_u = 1
  integer(c_int), parameter, public :: channel_field_v = 2
  integer(c_int), parameter, public :: channel_field_w = 3
  integer(c_int), parameter, public :: channel_field_p = 4
  integer(c_int), parameter, public :: channel_exchange_velocity = 1
  integer(c_int), parameter, public :: channel_exchange_pressure = 2

  ! Where the points of a block lie: stride(a, f) elements of field f from a point to the next along axis a.
  type, bind(c), public :: channel_shape
    type(hx_part) :: part
    integer(c_ptrdiff_t) :: stride(3, 4) = 0
  end type

  ! All exchanges of one set of blocks.
  type, bind(c), public :: channel_halo
    private
    type(c_ptr) :: handle = c_null_ptr
  end type

  ! The arrays of a block.  What is not exchanged may be null().
  type, public :: channel_fields
    real(c_double), pointer :: u(:,:,:) => null()
    real(c_double), pointer :: v(:,:,:) => null()
    real(c_double), pointer :: w(:,:,:) => null()
    real(c_float), pointer :: p(:,:,:) => null()
  end type

  public :: channel_shape_dense
  public :: channel_shape_best
  public :: channel_shape_of
  public :: channel_points
  public :: channel_partition
  public :: channel_create_blocks
  public :: channel_create
  public :: channel_destroy
  public :: channel_alloc
  public :: channel_free
  public :: channel_alloc_blocks
  public :: channel_free_blocks
  public :: channel_describe
  public :: channel_describe_json
  public :: channel_stats
  public :: channel_traffic
  public :: channel_register
  public :: channel_unregister
  public :: channel_message_buffers
  public :: channel_redistribute
  public :: channel_gather
  public :: channel_scatter
  public :: channel_gather_selected
  public :: channel_scatter_selected
  public :: channel_memory_type
  public :: channel_file_type
  public :: channel_file_passes
  public :: channel_rebalance
  public :: channel_create_like
  public :: channel_create_wide
  public :: channel_velocity
  public :: channel_velocity_blocks
  public :: channel_velocity_start
  public :: channel_velocity_blocks_start
  public :: channel_velocity_finish
  public :: channel_velocity_blocks_finish
  public :: channel_velocity_audit
  public :: channel_velocity_blocks_audit
  public :: channel_velocity_test
  public :: channel_velocity_interior
  public :: channel_velocity_rim
  public :: channel_pressure
  public :: channel_pressure_blocks
  public :: channel_pressure_start
  public :: channel_pressure_blocks_start
  public :: channel_pressure_finish
  public :: channel_pressure_blocks_finish
  public :: channel_pressure_audit
  public :: channel_pressure_blocks_audit
  public :: channel_pressure_test
  public :: channel_pressure_interior
  public :: channel_pressure_rim

  ! Collective: channel_redistribute(halo, f, other, g): fields to the blocks of another handle.  f, g: one struct, or one for each
  ! block.  A field does not move where its pointers are null() in all of them, on all ranks.  Optional: halos = .true. moves ghost
  ! points, too.
  interface channel_redistribute
    procedure f_redistribute, f_redistribute_blocks
  end interface

  ! Collective: channel_gather(halo, f, field, root, whole): a field to an array of the whole grid on rank root.  Its dimensions are
  ! those of the field's own arrays, without ghost points.  Arrays of other ranks may have no elements.
  ! channel_scatter is the way back.
  interface channel_gather
    procedure f_gather_1, f_gather_blocks_1
    procedure f_gather_2, f_gather_blocks_2
  end interface

  interface channel_scatter
    procedure f_scatter_1, f_scatter_blocks_1
    procedure f_scatter_2, f_scatter_blocks_2
  end interface

  ! Collective: channel_gather_selected(halo, f, field, array, first, step): some points of a field to an array on
  ! each rank that gives one with elements.  Along axis a it gets as many points as it has there, from first(a) on, counted from 1,
  ! step(a) apart; both are 1 where they are left out.  channel_scatter_selected is the way back.
  interface channel_gather_selected
    procedure f_gather_selected_1, f_gather_selected_blocks_1
    procedure f_gather_selected_2, f_gather_selected_blocks_2
  end interface

  interface channel_scatter_selected
    procedure f_scatter_selected_1, f_scatter_selected_blocks_1
    procedure f_scatter_selected_2, f_scatter_selected_blocks_2
  end interface

  ! Local: a datatype of MPI for the owned points of a field in memory, from MPI_BOTTOM on: channel_memory_type(halo, f, field, pass,
  ! datatype).  f: one struct, or one for each block.
  interface channel_memory_type
    procedure f_memory_type, f_memory_type_blocks
  end interface

  interface
    ! Collective; one block a rank.  comm: an integer of MPI, or type(MPI_Comm).  halo: not in use.
    subroutine channel_create(comm, shape, halo, options, ierr) &
        bind(c, name="channel_f_create")
      import
      type(*), intent(in) :: comm(..)
      type(channel_shape), intent(in) :: shape
      type(channel_halo), intent(inout) :: halo
      type(hx_options), intent(in), optional :: options
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective; any number of blocks a rank, those of the shapes.  partition: one for each tile, with ranks set.  owners: the
    ! ranks, from 0, that own the blocks of the first tile, then of the second, ...; without it each rank has one, in order.
    subroutine channel_create_blocks(comm, partition, shape, halo, owners, options, ierr) &
        bind(c, name="channel_f_create_blocks")
      import
      type(*), intent(in) :: comm(..)
      type(hx_partition), intent(in) :: partition(:)
      type(channel_shape), intent(in) :: shape(:)
      type(channel_halo), intent(inout) :: halo
      integer(c_int), intent(in), optional :: owners(:)
      type(hx_options), intent(in), optional :: options
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective: which blocks should move, so that ranks have as much work as each other; none is moved.  work: of each block of
    ! this rank, 0 or more, in any unit.  owners gets the ranks, from 0, of all blocks; moved, how many have another one than now.
    subroutine channel_rebalance(halo, work, owners, moved, ierr) &
        bind(c, name="channel_f_rebalance")
      import
      type(channel_halo), intent(in) :: halo
      real(c_double), intent(in) :: work(:)
      integer(c_int), intent(inout) :: owners(:)
      integer(c_int), intent(out) :: moved
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective: a handle of the same spec, ranks and options, in which blocks have other owners; in less time than
    ! channel_create_blocks takes.  next: not in use.  Both work from then on.
    subroutine channel_create_like(halo, partition, shape, next, owners, ierr) &
        bind(c, name="channel_f_create_like")
      import
      type(channel_halo), intent(in) :: halo
      type(hx_partition), intent(in) :: partition(:)
      type(channel_shape), intent(in) :: shape(:)
      type(channel_halo), intent(inout) :: next
      integer(c_int), intent(in) :: owners(:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective over comm: a handle of the blocks of narrow for more ranks.  Those that are not in it give one that was not created.
    ! Two such handles, of two groups of ranks, are what channel_redistribute takes; arrays of narrow fit.
    subroutine channel_create_wide(narrow, comm, halo, options, ierr) &
        bind(c, name="channel_f_create_wide")
      import
      type(channel_halo), intent(in) :: narrow
      type(*), intent(in) :: comm(..)
      type(channel_halo), intent(inout) :: halo
      type(hx_options), intent(in), optional :: options
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  Frees the arrays of channel_alloc, too.
    subroutine channel_destroy(halo, ierr) &
        bind(c, name="channel_f_destroy")
      import
      type(channel_halo), intent(inout) :: halo
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  Arrays that lie in a window with memory that a node shares are from now on filled by other ranks of the node.
    subroutine channel_register(halo, window, ierr) &
        bind(c, name="channel_f_register")
      import
      type(channel_halo), intent(in) :: halo
      type(hx_window), intent(in) :: window
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! Collective.  The end of that.
    subroutine channel_unregister(halo, window, ierr) &
        bind(c, name="channel_f_unregister")
      import
      type(channel_halo), intent(in) :: halo
      type(hx_window), intent(in) :: window
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! The shape of a block whose arrays exist already.  Fields that are left out get dense strides.
    subroutine channel_shape_of(part, u, v, w, p, shape, ierr) &
        bind(c, name="channel_f_shape_of")
      import
      type(hx_part), intent(in) :: part
      real(c_double), intent(in), optional :: u(:,:,:), v(:,:,:), w(:,:,:)
      real(c_float), intent(in), optional :: p(:,:,:)
      type(channel_shape), intent(out) :: shape
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! velocity, line 8 of the spec.
    !     u, v, w: 2, 2, 2 layers along x, y, z
    !     box: faces across x, y and z, with edges and corners.
    subroutine channel_velocity(halo, u, v, w, ierr) &
        bind(c, name="channel_f_velocity")
      import
      type(channel_halo), intent(in) :: halo
      real(c_double), intent(inout), asynchronous, target :: u(:,:,:), v(:,:,:), w(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
    subroutine channel_velocity_start(halo, u, v, w, ierr) &
        bind(c, name="channel_f_velocity_start")
      import
      type(channel_halo), intent(in) :: halo
      real(c_double), intent(inout), asynchronous, target :: u(:,:,:), v(:,:,:), w(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
    subroutine channel_velocity_finish(halo, u, v, w, ierr) &
        bind(c, name="channel_f_velocity_finish")
      import
      type(channel_halo), intent(in) :: halo
      real(c_double), intent(inout), asynchronous, target :: u(:,:,:), v(:,:,:), w(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
    ! Collective.  Compares ghost points with what their owners hold: status hx_err_mismatch names one that differs.
    subroutine channel_velocity_audit(halo, u, v, w, ierr) &
        bind(c, name="channel_f_velocity_audit")
      import
      type(channel_halo), intent(in) :: halo
      real(c_double), intent(inout), asynchronous, target :: u(:,:,:), v(:,:,:), w(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! pressure, line 9 of the spec.
    !     p: 1, 1, 1 layers along x, y, z
    !     star: faces across x, y and z.
    subroutine channel_pressure(halo, p, ierr) &
        bind(c, name="channel_f_pressure")
      import
      type(channel_halo), intent(in) :: halo
      real(c_float), intent(inout), asynchronous, target :: p(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
    subroutine channel_pressure_start(halo, p, ierr) &
        bind(c, name="channel_f_pressure_start")
      import
      type(channel_halo), intent(in) :: halo
      real(c_float), intent(inout), asynchronous, target :: p(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
    subroutine channel_pressure_finish(halo, p, ierr) &
        bind(c, name="channel_f_pressure_finish")
      import
      type(channel_halo), intent(in) :: halo
      real(c_float), intent(inout), asynchronous, target :: p(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine
    ! Collective.  Compares ghost points with what their owners hold: status hx_err_mismatch names one that differs.
    subroutine channel_pressure_audit(halo, p, ierr) &
        bind(c, name="channel_f_pressure_audit")
      import
      type(channel_halo), intent(in) :: halo
      real(c_float), intent(inout), asynchronous, target :: p(:,:,:)
      integer(c_int), intent(out), optional :: ierr
    end subroutine

    ! ---- for the procedures below ----

    subroutine f_partition(nx, ny, nz, hx_made_partition) &
        bind(c, name="channel_f_partition")
      import
      integer(c_int), value :: nx, ny, nz
      type(hx_partition), intent(out) :: hx_made_partition
    end subroutine

    subroutine f_shape_dense(part, shape) bind(c, name="channel_f_shape_dense")
      import
      type(hx_part), intent(in) :: part
      type(channel_shape), intent(out) :: shape
    end subroutine

    subroutine f_shape_best(part, shape) bind(c, name="channel_f_shape_best")
      import
      type(hx_part), intent(in) :: part
      type(channel_shape), intent(out) :: shape
    end subroutine

    function f_points(shape, field) result(points) bind(c, name="channel_f_points")
      import
      type(channel_shape), intent(in) :: shape
      integer(c_int), value :: field
      integer(c_size_t) :: points
    end function

    subroutine f_point_1(halo, field, block, array) bind(c, name="channel_f_point_1")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: field, block
      real(c_double), pointer, intent(inout) :: array(:,:,:)
    end subroutine

    subroutine f_release_1(halo, field, block, array) bind(c, name="channel_f_release_1")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: field, block
      real(c_double), pointer, intent(in) :: array(:,:,:)
    end subroutine

    function f_whole_1(halo, scatters, blocks, field, root, whole) result(status) &
        bind(c, name="channel_f_whole_1")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: scatters, blocks, field, root
      real(c_double), intent(inout) :: whole(:,:,:)
      integer(c_int) :: status
    end function

    function f_selected_1(halo, how, array) result(status) &
        bind(c, name="channel_f_selected_1")
      import
      type(c_ptr), value :: halo
      type(hx_f_selection), intent(in) :: how
      real(c_double), intent(inout) :: array(:,:,:)
      integer(c_int) :: status
    end function

    subroutine f_point_2(halo, field, block, array) bind(c, name="channel_f_point_2")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: field, block
      real(c_float), pointer, intent(inout) :: array(:,:,:)
    end subroutine

    subroutine f_release_2(halo, field, block, array) bind(c, name="channel_f_release_2")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: field, block
      real(c_float), pointer, intent(in) :: array(:,:,:)
    end subroutine

    function f_whole_2(halo, scatters, blocks, field, root, whole) result(status) &
        bind(c, name="channel_f_whole_2")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: scatters, blocks, field, root
      real(c_float), intent(inout) :: whole(:,:,:)
      integer(c_int) :: status
    end function

    function f_selected_2(halo, how, array) result(status) &
        bind(c, name="channel_f_selected_2")
      import
      type(c_ptr), value :: halo
      type(hx_f_selection), intent(in) :: how
      real(c_float), intent(inout) :: array(:,:,:)
      integer(c_int) :: status
    end function

    function f_file_passes(field) result(passes) &
        bind(c, name="channel_f_file_passes")
      import
      integer(c_int), value :: field
      integer(c_int) :: passes
    end function

    function f_check_velocity(halo, part, fill, blocks) result(status) &
        bind(c, name="channel_f_check_velocity")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: part, fill, blocks
      integer(c_int) :: status
    end function

    function f_take_velocity(hx_halo, hx_what, hx_number, hx_block, u, v, w) &
        result(hx_answer) bind(c, name="channel_f_take_velocity")
      import
      type(c_ptr), value :: hx_halo
      integer(c_int), value :: hx_what, hx_number, hx_block
      real(c_double), pointer, intent(in) :: u(:,:,:), v(:,:,:), w(:,:,:)
      integer(c_int) :: hx_answer
    end function

    function f_go_velocity(halo, part, fill, stream) result(status) &
        bind(c, name="channel_f_go_velocity")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: part, fill
      type(c_ptr), value :: stream
      integer(c_int) :: status
    end function

    function f_check_pressure(halo, part, fill, blocks) result(status) &
        bind(c, name="channel_f_check_pressure")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: part, fill, blocks
      integer(c_int) :: status
    end function

    function f_take_pressure(hx_halo, hx_what, hx_number, hx_block, p) &
        result(hx_answer) bind(c, name="channel_f_take_pressure")
      import
      type(c_ptr), value :: hx_halo
      integer(c_int), value :: hx_what, hx_number, hx_block
      real(c_float), pointer, intent(in) :: p(:,:,:)
      integer(c_int) :: hx_answer
    end function

    function f_go_pressure(halo, part, fill, stream) result(status) &
        bind(c, name="channel_f_go_pressure")
      import
      type(c_ptr), value :: halo
      integer(c_int), value :: part, fill
      type(c_ptr), value :: stream
      integer(c_int) :: status
    end function
  end interface

contains

  ! The partition of the grid, for hx_decompose, which chooses how many ranks lie along each axis.
  function channel_partition(nx, ny, nz) &
      result(hx_made_partition)
    integer(c_int), intent(in) :: nx, ny, nz
    type(hx_partition) :: hx_made_partition

    call f_partition(nx, ny, nz, hx_made_partition)
  end function

  ! For arrays without padding, but for that of the spec.
  function channel_shape_dense(part) result(shape)
    type(hx_part), intent(in) :: part
    type(channel_shape) :: shape

    call f_shape_dense(part, shape)
  end function

  ! For arrays of channel_alloc: avoids slow strides.
  function channel_shape_best(part) result(shape)
    type(hx_part), intent(in) :: part
    type(channel_shape) :: shape

    call f_shape_best(part, shape)
  end function

  ! Elements of an array, halo, padding and components included.
  function channel_points(shape, field) result(points)
    type(channel_shape), intent(in) :: shape
    integer(c_int), intent(in) :: field
    integer(c_size_t) :: points

    points = f_points(shape, field)
  end function

  ! Collective.  Makes an array for every field: zero, and with the bounds of the halo.
  subroutine channel_alloc(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(inout) :: f
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status

    status = hx_f_alloc(halo%handle, "channel_alloc" // c_null_char, 1_c_int)
    if (status == hx_ok) call f_point(halo%handle, 1_c_int, f)
    call hx_f_answer(status, ierr)
  end subroutine

  ! Collective.  The same for all blocks of a rank.
  subroutine channel_alloc_blocks(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(inout) :: f(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status, b

    status = hx_f_alloc(halo%handle, "channel_alloc_blocks" // c_null_char, &
        size(f, kind=c_int))
    if (status == hx_ok) then
      do b = 1, size(f, kind=c_int)
        call f_point(halo%handle, b, f(b))
      end do
    end if
    call hx_f_answer(status, ierr)
  end subroutine

  ! Collective.  Frees arrays of channel_alloc, and sets the pointers to null().
  subroutine channel_free(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(inout) :: f
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status

    if (c_associated(halo%handle)) call f_release(halo%handle, 1_c_int, f)
    status = hx_f_free(halo%handle, "channel_free" // c_null_char, 1_c_int)
    if (status == hx_ok) call f_point(halo%handle, 1_c_int, f)
    call hx_f_answer(status, ierr)
  end subroutine

  subroutine channel_free_blocks(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(inout) :: f(:)
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status, b

    if (c_associated(halo%handle)) then
      do b = 1, size(f, kind=c_int)
        call f_release(halo%handle, b, f(b))
      end do
    end if
    status = hx_f_free(halo%handle, "channel_free_blocks" // c_null_char, &
        size(f, kind=c_int))
    if (status == hx_ok) then
      do b = 1, size(f, kind=c_int)
        call f_point(halo%handle, b, f(b))
      end do
    end if
    call hx_f_answer(status, ierr)
  end subroutine

  ! What is really used, peer by peer, in words.
  function channel_describe(halo) result(hx_words)
    type(channel_halo), intent(in) :: halo
    character(:), allocatable :: hx_words

    hx_words = hx_f_text(hx_f_describe(halo%handle))
  end function

  ! The same as JSON, with all messages; '' where it failed, and hx_last_error() tells why.
  function channel_describe_json(halo) result(hx_words)
    type(channel_halo), intent(in) :: halo
    character(:), allocatable :: hx_words

    hx_words = hx_f_text(hx_f_describe_json(halo%handle, &
        "channel_describe_json" // c_null_char))
  end function

  ! Collective: what HX_STATS has counted so far.  file: as JSON; without it a table, on standard error.
  subroutine channel_stats(halo, file, ierr)
    type(channel_halo), intent(in) :: halo
    character(*), intent(in), optional :: file
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_write_stats(halo%handle, "channel_stats", file), ierr)
  end subroutine

  ! The messages of an exchange with the transport "manual", which you move between start and finish.
  subroutine channel_message_buffers(halo, exchange, buffer, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: exchange
    type(hx_message_buffer), allocatable, intent(out) :: buffer(:)
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_list_messages(halo%handle, "channel_message_buffers", &
        exchange, buffer), ierr)
  end subroutine

  ! What an exchange has moved since create; exchange: channel_exchange_velocity, ...
  subroutine channel_traffic(halo, exchange, traffic, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: exchange
    type(hx_traffic), intent(out) :: traffic
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_traffic(halo%handle, "channel_traffic" // c_null_char, &
        exchange, traffic), ierr)
  end subroutine

  ! Whether finish will wait for no message; call it all the same.
  subroutine channel_velocity_test(halo, done, ierr)
    type(channel_halo), intent(in) :: halo
    logical, intent(out) :: done
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_test_done(halo%handle, "channel_velocity_test", 1_c_int, done), ierr)
  end subroutine

  ! Where to work between start and finish: boxes of owned points that the exchange neither reads nor changes.  block, field: from 1.
  subroutine channel_velocity_interior(halo, block, field, boxes, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: block, field
    type(hx_box), allocatable, intent(out) :: boxes(:)
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_work_boxes(halo%handle, "channel_velocity_interior", &
        hx_f_work(1, 0, block, field), boxes), ierr)
  end subroutine

  ! The other owned points, for a loop behind finish.
  subroutine channel_velocity_rim(halo, block, field, boxes, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: block, field
    type(hx_box), allocatable, intent(out) :: boxes(:)
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_work_boxes(halo%handle, "channel_velocity_rim", &
        hx_f_work(1, 1, block, field), boxes), ierr)
  end subroutine

  subroutine channel_velocity_blocks(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_velocity(halo%handle, f, hx_f_whole, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine channel_velocity_blocks_start(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_velocity(halo%handle, f, hx_f_start, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine channel_velocity_blocks_finish(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_velocity(halo%handle, f, hx_f_finish, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine channel_velocity_blocks_audit(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_velocity(halo%handle, f, hx_f_audit, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine f_blocks_velocity(halo, f, part, fill, stream, ierr)
    type(c_ptr), intent(in) :: halo, stream
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: part, fill
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status, b

    status = f_check_velocity(halo, part, fill, size(f, kind=c_int))
    do b = 1, size(f, kind=c_int)
      if (status /= hx_ok) exit
      status = f_take_velocity(halo, part, fill, b, f(b)%u, f(b)%v, f(b)%w)
    end do
    if (status == hx_ok) status = f_go_velocity(halo, part, fill, stream)
    call hx_f_answer(status, ierr)
  end subroutine

  ! Whether finish will wait for no message; call it all the same.
  subroutine channel_pressure_test(halo, done, ierr)
    type(channel_halo), intent(in) :: halo
    logical, intent(out) :: done
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_test_done(halo%handle, "channel_pressure_test", 2_c_int, done), ierr)
  end subroutine

  ! Where to work between start and finish: boxes of owned points that the exchange neither reads nor changes.  block, field: from 1.
  subroutine channel_pressure_interior(halo, block, field, boxes, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: block, field
    type(hx_box), allocatable, intent(out) :: boxes(:)
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_work_boxes(halo%handle, "channel_pressure_interior", &
        hx_f_work(2, 0, block, field), boxes), ierr)
  end subroutine

  ! The other owned points, for a loop behind finish.
  subroutine channel_pressure_rim(halo, block, field, boxes, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: block, field
    type(hx_box), allocatable, intent(out) :: boxes(:)
    integer(c_int), intent(out), optional :: ierr

    call hx_f_answer(hx_f_work_boxes(halo%handle, "channel_pressure_rim", &
        hx_f_work(2, 1, block, field), boxes), ierr)
  end subroutine

  subroutine channel_pressure_blocks(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_pressure(halo%handle, f, hx_f_whole, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine channel_pressure_blocks_start(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_pressure(halo%handle, f, hx_f_start, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine channel_pressure_blocks_finish(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_pressure(halo%handle, f, hx_f_finish, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine channel_pressure_blocks_audit(halo, f, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(out), optional :: ierr

    call f_blocks_pressure(halo%handle, f, hx_f_audit, 0_c_int, c_null_ptr, ierr)
  end subroutine

  subroutine f_blocks_pressure(halo, f, part, fill, stream, ierr)
    type(c_ptr), intent(in) :: halo, stream
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: part, fill
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status, b

    status = f_check_pressure(halo, part, fill, size(f, kind=c_int))
    do b = 1, size(f, kind=c_int)
      if (status /= hx_ok) exit
      status = f_take_pressure(halo, part, fill, b, f(b)%p)
    end do
    if (status == hx_ok) status = f_go_pressure(halo, part, fill, stream)
    call hx_f_answer(status, ierr)
  end subroutine

  ! In how many passes a field is read from a file; it is written in pass 1.
  function channel_file_passes(field) result(passes)
    integer(c_int), intent(in) :: field
    integer(c_int) :: passes

    passes = f_file_passes(field)
  end function

  ! Local: a datatype of MPI for the places of these points in a file: the filetype of MPI_File_set_view.
  subroutine channel_file_type(halo, field, pass, datatype, ierr)
    type(channel_halo), intent(in) :: halo
    integer(c_int), intent(in) :: field, pass
    integer, intent(out) :: datatype
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status, made

    status = hx_f_file_type(halo%handle, "channel_file_type" // c_null_char, &
        field, pass, made)
    datatype = int(made)
    call hx_f_answer(status, ierr)
  end subroutine

  subroutine f_memory_type(halo, f, field, pass, datatype, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field, pass
    integer, intent(out) :: datatype
    integer(c_int), intent(out), optional :: ierr

    call f_memory_type_blocks(halo, [f], field, pass, datatype, ierr)
  end subroutine

  subroutine f_memory_type_blocks(halo, f, field, pass, datatype, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field, pass
    integer, intent(out) :: datatype
    integer(c_int), intent(out), optional :: ierr
    integer(c_int) :: status, made

    call f_release_all(halo, f)
    status = hx_f_memory_type(halo%handle, "channel_memory_type" // c_null_char, &
        size(f, kind=c_int), field, pass, made)
    datatype = int(made)
    call hx_f_answer(status, ierr)
  end subroutine

  subroutine f_redistribute(source, f, target, g, ierr, halos, stream)
    type(channel_halo), intent(in) :: source, target
    type(channel_fields), intent(in) :: f, g
    integer(c_int), intent(out), optional :: ierr
    logical, intent(in), optional :: halos
    type(c_ptr), intent(in), optional :: stream

    call f_redistribute_blocks(source, [f], target, [g], ierr, halos, stream)
  end subroutine

  subroutine f_redistribute_blocks(source, f, target, g, ierr, halos, stream)
    type(channel_halo), intent(in) :: source, target
    type(channel_fields), intent(in) :: f(:), g(:)
    integer(c_int), intent(out), optional :: ierr
    logical, intent(in), optional :: halos
    type(c_ptr), intent(in), optional :: stream
    type(hx_f_redistribution) :: how

    how%blocks = [size(f, kind=c_int), size(g, kind=c_int)]
    if (present(halos)) how%halos = merge(1_c_int, 0_c_int, halos)
    if (present(stream)) how%stream = stream
    call f_release_all(source, f)
    call f_release_all(target, g)
    call hx_f_answer(hx_f_redistribute(source%handle, target%handle, how, &
        "channel_redistribute" // c_null_char), ierr)
  end subroutine

  subroutine f_gather_1(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field, root
    real(c_double), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr

    call f_gather_blocks_1(halo, [f], field, root, whole, ierr)
  end subroutine

  subroutine f_gather_blocks_1(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field, root
    real(c_double), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr
    logical :: fits

    fits = any(field == [integer(c_int) :: 1, 2, 3])
    call f_release_all(halo, f)
    call hx_f_answer(f_whole_1(halo%handle, 0_c_int, size(f, kind=c_int), &
        merge(field, 0_c_int, fits), root, whole), ierr)
  end subroutine

  subroutine f_gather_selected_1(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field
    real(c_double), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr

    call f_gather_selected_blocks_1(halo, [f], field, array, first, step, tile, ierr)
  end subroutine

  subroutine f_gather_selected_blocks_1(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field
    real(c_double), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr
    type(hx_f_selection) :: how

    call f_release_all(halo, f)
    how = hx_f_select(field, size(f, kind=c_int), first, step, tile)
    if (.not. any(field == [integer(c_int) :: 1, 2, 3])) how%field = 0
    how%scatters = 0
    call hx_f_answer(f_selected_1(halo%handle, how, array), ierr)
  end subroutine

  subroutine f_scatter_1(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field, root
    real(c_double), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr

    call f_scatter_blocks_1(halo, [f], field, root, whole, ierr)
  end subroutine

  subroutine f_scatter_blocks_1(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field, root
    real(c_double), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr
    logical :: fits

    fits = any(field == [integer(c_int) :: 1, 2, 3])
    call f_release_all(halo, f)
    call hx_f_answer(f_whole_1(halo%handle, 1_c_int, size(f, kind=c_int), &
        merge(field, 0_c_int, fits), root, whole), ierr)
  end subroutine

  subroutine f_scatter_selected_1(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field
    real(c_double), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr

    call f_scatter_selected_blocks_1(halo, [f], field, array, first, step, tile, ierr)
  end subroutine

  subroutine f_scatter_selected_blocks_1(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field
    real(c_double), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr
    type(hx_f_selection) :: how

    call f_release_all(halo, f)
    how = hx_f_select(field, size(f, kind=c_int), first, step, tile)
    if (.not. any(field == [integer(c_int) :: 1, 2, 3])) how%field = 0
    how%scatters = 1
    call hx_f_answer(f_selected_1(halo%handle, how, array), ierr)
  end subroutine

  subroutine f_gather_2(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field, root
    real(c_float), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr

    call f_gather_blocks_2(halo, [f], field, root, whole, ierr)
  end subroutine

  subroutine f_gather_blocks_2(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field, root
    real(c_float), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr
    logical :: fits

    fits = any(field == [integer(c_int) :: 4])
    call f_release_all(halo, f)
    call hx_f_answer(f_whole_2(halo%handle, 0_c_int, size(f, kind=c_int), &
        merge(field, 0_c_int, fits), root, whole), ierr)
  end subroutine

  subroutine f_gather_selected_2(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field
    real(c_float), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr

    call f_gather_selected_blocks_2(halo, [f], field, array, first, step, tile, ierr)
  end subroutine

  subroutine f_gather_selected_blocks_2(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field
    real(c_float), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr
    type(hx_f_selection) :: how

    call f_release_all(halo, f)
    how = hx_f_select(field, size(f, kind=c_int), first, step, tile)
    if (.not. any(field == [integer(c_int) :: 4])) how%field = 0
    how%scatters = 0
    call hx_f_answer(f_selected_2(halo%handle, how, array), ierr)
  end subroutine

  subroutine f_scatter_2(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field, root
    real(c_float), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr

    call f_scatter_blocks_2(halo, [f], field, root, whole, ierr)
  end subroutine

  subroutine f_scatter_blocks_2(halo, f, field, root, whole, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field, root
    real(c_float), intent(inout) :: whole(:,:,:)
    integer(c_int), intent(out), optional :: ierr
    logical :: fits

    fits = any(field == [integer(c_int) :: 4])
    call f_release_all(halo, f)
    call hx_f_answer(f_whole_2(halo%handle, 1_c_int, size(f, kind=c_int), &
        merge(field, 0_c_int, fits), root, whole), ierr)
  end subroutine

  subroutine f_scatter_selected_2(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f
    integer(c_int), intent(in) :: field
    real(c_float), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr

    call f_scatter_selected_blocks_2(halo, [f], field, array, first, step, tile, ierr)
  end subroutine

  subroutine f_scatter_selected_blocks_2(halo, f, field, array, first, step, tile, ierr)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int), intent(in) :: field
    real(c_float), intent(inout) :: array(:,:,:)
    integer(c_int), intent(in), optional :: first(:), step(:), tile
    integer(c_int), intent(out), optional :: ierr
    type(hx_f_selection) :: how

    call f_release_all(halo, f)
    how = hx_f_select(field, size(f, kind=c_int), first, step, tile)
    if (.not. any(field == [integer(c_int) :: 4])) how%field = 0
    how%scatters = 1
    call hx_f_answer(f_selected_2(halo%handle, how, array), ierr)
  end subroutine

  subroutine f_release_all(halo, f)
    type(channel_halo), intent(in) :: halo
    type(channel_fields), intent(in) :: f(:)
    integer(c_int) :: b

    if (.not. c_associated(halo%handle)) return
    do b = 1, size(f, kind=c_int)
      call f_release(halo%handle, b, f(b))
    end do
  end subroutine

  ! What libhx has allocated, or freed, becomes pointers.
  subroutine f_point(halo, block, f)
    type(c_ptr), intent(in) :: halo
    integer(c_int), intent(in) :: block
    type(channel_fields), intent(inout) :: f

    call f_point_1(halo, 1_c_int, block, f%u)
    call f_point_1(halo, 2_c_int, block, f%v)
    call f_point_1(halo, 3_c_int, block, f%w)
    call f_point_2(halo, 4_c_int, block, f%p)
  end subroutine

  ! The other way round.
  subroutine f_release(halo, block, f)
    type(c_ptr), intent(in) :: halo
    integer(c_int), intent(in) :: block
    type(channel_fields), intent(in) :: f

    call f_release_1(halo, 1_c_int, block, f%u)
    call f_release_1(halo, 2_c_int, block, f%v)
    call f_release_1(halo, 3_c_int, block, f%w)
    call f_release_2(halo, 4_c_int, block, f%p)
  end subroutine

end module
