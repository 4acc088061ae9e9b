# halogen_add_spec(<target> SPEC <file> [LANGUAGES <language>...] [EMIT <what>...] [OPTIONS <option>...])
#
# Generates the code of a spec in the build directory, and adds it to the target; again when the spec, a file that it
# includes, or halogen has changed.  A target takes any number of specs.  Link it with Halogen::hx or
# Halogen::hx_static; and, if fields lie in the memory of GPUs, with Halogen::hx_cuda, for which CUDA is a language of
# the project.
#
# LANGUAGES are those that call the exchanges: C, CXX, Fortran or Python.  With Fortran the target has the module hx, too.
# With Python it is a library for halogen's Python package.  All of them call emitted C.
#
# EMIT is as for halogen's --emit, OPTIONS are any others; paths in them are absolute.

include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

# The words of --emit for these languages, of which the project has to know those that it compiles.
function(halogen_words_of_languages result languages)
  get_property(known GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(words)
  foreach(language IN LISTS languages)
    if(NOT language MATCHES "^(C|CXX|Fortran|Python)$")
      message(FATAL_ERROR "halogen_add_spec: '${language}' is none of the LANGUAGES C, CXX, Fortran, Python")
    elseif(NOT language STREQUAL "Python" AND NOT language IN_LIST known)
      message(FATAL_ERROR "halogen_add_spec: the project does not know ${language}: say project(... LANGUAGES C ${language})")
    endif()
    string(TOLOWER "${language}" word)
    list(APPEND words c "${word}")
  endforeach()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# Adds the module hx, which all emitted modules use; it is compiled once for all targets, by the compiler of the project.
# Targets are linked with it by their property, since a project may use either signature of target_link_libraries.
function(halogen_link_module_hx target)
  if(NOT TARGET halogen_module_hx)
    file(STRINGS "${Halogen_FORTRAN_DIRECTORY}/sources.txt" sources)
    list(TRANSFORM sources PREPEND "${Halogen_FORTRAN_DIRECTORY}/")
    add_library(halogen_module_hx OBJECT ${sources})
    set(modules "${CMAKE_BINARY_DIR}/halogen/modules")
    set_target_properties(halogen_module_hx PROPERTIES Fortran_MODULE_DIRECTORY "${modules}" POSITION_INDEPENDENT_CODE ON)
    get_target_property(headers Halogen::hx INTERFACE_INCLUDE_DIRECTORIES)
    target_include_directories(halogen_module_hx PRIVATE "${headers}" INTERFACE "${modules}")
    target_link_libraries(halogen_module_hx PRIVATE MPI::MPI_C)
    target_compile_features(halogen_module_hx PRIVATE c_std_11)
  endif()
  set_property(TARGET "${target}" APPEND PROPERTY LINK_LIBRARIES halogen_module_hx)
endfunction()

function(halogen_add_spec target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SPEC" "LANGUAGES;EMIT;OPTIONS")
  if(NOT DEFINED arg_SPEC OR DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "usage: halogen_add_spec(<target> SPEC <file> [LANGUAGES <language>...] [EMIT <what>...] "
                        "[OPTIONS <option>...])")
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
  halogen_words_of_languages(words "${arg_LANGUAGES}")
  list(APPEND words ${arg_EMIT})
  list(REMOVE_DUPLICATES words)
  if(words)
    list(JOIN words "," what)
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
  if("cxx" IN_LIST words)
    target_compile_features("${target}" PRIVATE cxx_std_17)
  endif()
  if("fortran" IN_LIST words)
    halogen_link_module_hx("${target}")
  endif()
endfunction()

cmake_policy(POP)
