!> Whole numbers that a program is given.
module arguments
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private
  public :: argument

contains

  !> Argument number i, or `otherwise` where the program has fewer; ends the program where it is no number of 1 or more.
  integer function argument(i, name, otherwise)
    integer, intent(in) :: i, otherwise
    character(*), intent(in) :: name
    character(32) :: text
    integer :: problem

    argument = otherwise
    if (i > command_argument_count()) return
    call get_command_argument(i, text)
    read (text, *, iostat=problem) argument
    if (problem == 0 .and. argument >= 1) return
    write (error_unit, '(5a)') name, ' is "', trim(text), '", but must be a whole number of 1 or more'
    error stop
  end function argument

end module arguments
