# halogen_add_spec(<target> SPEC <file> [EMIT <what>...] [OPTIONS <option>...])
#
# Generates the code of a spec in the build directory, and adds it to the target; again when the spec, a file that it
# includes, or halogen has changed.  A target takes any number of specs.  Link it with Halogen::hx or
# Halogen::hx_static; and, if fields lie in the memory of GPUs, with Halogen::hx_cuda, for which CUDA is a language of
# the project.
#
# EMIT is as for halogen's --emit, OPTIONS are any others; paths in them are absolute.

include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

function(halogen_add_spec target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SPEC" "EMIT;OPTIONS")
  if(NOT DEFINED arg_SPEC OR DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: halogen_add_spec(<target> SPEC <file> [EMIT <what>...] [OPTIONS <option>...])")
  endif()
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "halogen_add_spec: there is no target '${target}'; add it first")
  endif()
  if(NOT TARGET Halogen::halogen)
    message(FATAL_ERROR "halogen_add_spec: there is no halogen that runs on this machine; install one, and name it by "
                        "-DHalogen_EXECUTABLE=... or in PATH")
  endif()

  get_filename_component(spec "${arg_SPEC}" ABSOLUTE)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/halogen/${target}")
  get_target_property(halogen Halogen::halogen IMPORTED_LOCATION)
  set(command "${halogen}" "${spec}" -o "${directory}" ${arg_OPTIONS})
  if(DEFINED arg_EMIT)
    list(JOIN arg_EMIT "," what)
    list(APPEND command --emit "${what}")
  endif()

  # What a spec is called, and so its files, stands in the spec.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${spec}")
  execute_process(
    COMMAND ${command} --list-outputs
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    OUTPUT_VARIABLE outputs OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_VARIABLE problem
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "halogen_add_spec: ${failed}\n${problem}")
  endif()
  string(REPLACE "\n" ";" outputs "${outputs}")
  list(GET outputs 0 first)
  get_filename_component(name "${first}" NAME_WE)

  # CMake skips a file of a language that it does not know.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(outputs MATCHES "[.]cu(;|$)" AND NOT "CUDA" IN_LIST languages)
    message(FATAL_ERROR "halogen_add_spec: fields of ${arg_SPEC} lie in the memory of GPUs: say project(... LANGUAGES C CUDA)")
  elseif(outputs MATCHES "[.]cu(;|$)" AND NOT TARGET Halogen::hx_cuda)
    message(FATAL_ERROR "halogen_add_spec: fields of ${arg_SPEC} lie in the memory of GPUs, but this halogen is without \
libhx_cuda: install one that was built where there is a CUDA toolkit")
  endif()

  # Emitted files that stay the same keep their dates, so that nothing is compiled again; make must not take that for
  # a reason to generate in every build, and so looks at the stamp.
  set(stamp "${directory}/${name}.stamp")
  set(depfile "${directory}/${name}.d")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${outputs}
    COMMAND ${command} --stamp "${stamp}" --depfile "${depfile}"
    DEPENDS "${spec}" "${halogen}"
    DEPFILE "${depfile}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "Generating ${name} from ${arg_SPEC}"
    VERBATIM)
  target_sources("${target}" PRIVATE "${stamp}" ${outputs})
  target_include_directories("${target}" PUBLIC "$<BUILD_INTERFACE:${directory}>")
  target_compile_features("${target}" PRIVATE c_std_11)
endfunction()

cmake_policy(POP)
