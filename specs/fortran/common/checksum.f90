!> Checksums of states that any ranks hold, by specs/common/checksum.c: a C program with the same state prints the same.
module checksum
  use, intrinsic :: iso_c_binding, only: c_double, c_int64_t
  use mpi_f08
  implicit none
  private
  public :: checksum_add, checksum_print

  interface
    !> Adds what a number at a place of the whole grid counts; depends on all bits of both.
    pure subroutine checksum_add(sum, number, place) bind(c)
      import :: c_double, c_int64_t
      integer(c_int64_t), intent(inout) :: sum
      real(c_double), intent(in), value :: number
      integer(c_int64_t), intent(in), value :: place
    end subroutine checksum_add
  end interface

contains

  !> Collective: rank 0 prints what the sums of all ranks add up to.
  subroutine checksum_print(sum, comm)
    integer(c_int64_t), intent(in) :: sum
    type(MPI_Comm), intent(in) :: comm
    integer(c_int64_t) :: total
    integer :: rank
    character(16) :: text

    call MPI_Allreduce(sum, total, 1, MPI_UINT64_T, MPI_SUM, comm)
    call MPI_Comm_rank(comm, rank)
    if (rank == 0) then
      write (text, '(z16.16)') total
      print '(2a)', 'checksum   ', lower(text)
    end if
  end subroutine checksum_print

  !> C prints hexadecimal numbers in lower case, gfortran in upper case.
  elemental function lower(digits)
    character(*), intent(in) :: digits
    character(len(digits)) :: lower
    integer :: i

    lower = digits
    do i = 1, len(digits)
      if (digits(i:i) >= 'A' .and. digits(i:i) <= 'F') lower(i:i) = achar(iachar(digits(i:i)) + 32)
    end do
  end function lower

end module checksum
