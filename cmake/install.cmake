# What `cmake --install` and `cpack -G DEB` give: the program, and the libraries with their headers
# and the package that find_package(fftprec) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fftprec)
set(detail_dir ${CMAKE_INSTALL_INCLUDEDIR}/fftprec/detail)
set(layers fftprec_arith fftprec_truth fftprec_algorithms fftprec_experiments fftprec_reports
           fftprec_public fftprec_gtest)

install(TARGETS fftprec COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# What the program says of its command line: the manual page, and completion for three shells.
set(described ${PROJECT_BINARY_DIR}/described)
function(fftprec_describe file folder)
  add_custom_command(OUTPUT ${described}/${file}
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${described}
                     COMMAND fftprec ${ARGN} > ${described}/${file}
                     DEPENDS fftprec VERBATIM)
  set_property(GLOBAL APPEND PROPERTY fftprec_described ${described}/${file})
  install(FILES ${described}/${file} DESTINATION ${folder} COMPONENT program)
endfunction()
fftprec_describe(fftprec.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
fftprec_describe(fftprec ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
fftprec_describe(_fftprec ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
fftprec_describe(fftprec.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
get_property(described_files GLOBAL PROPERTY fftprec_described)
add_custom_target(fftprec_described ALL DEPENDS ${described_files})

# <fftprec/fftprec.hpp>, and what it includes: written from the root of the project, below detail.
install(TARGETS ${layers} EXPORT fftprec COMPONENT development
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${detail_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fftprec DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development FILES_MATCHING PATTERN "*.hpp")
foreach(folder arith algorithms experiments reports)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${detail_dir}
          COMPONENT development FILES_MATCHING PATTERN "*.hpp"
          PATTERN assets EXCLUDE)
endforeach()
install(EXPORT fftprec NAMESPACE fftprec:: FILE fftprecTargets.cmake DESTINATION ${package_dir}
        COMPONENT development)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/fftprecConfig.cmake.in ${PROJECT_BINARY_DIR}/fftprecConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fftprecConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/fftprecConfig.cmake
              ${PROJECT_BINARY_DIR}/fftprecConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/fftprec_dependencies.cmake
        DESTINATION ${package_dir} COMPONENT development)

# Debian packages: fftprec, which needs the libraries that it was linked with, fftprec-dev, and with
# FFTPREC_PYTHON python3-fftprec, with FFTPREC_C libfftprec-c1.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The fftprec contributors")
set(CPACK_PACKAGE_CONTACT "The fftprec contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME fftprec)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS librsvg2-bin)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME fftprec-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
       "libeigen3-dev, libmpfr-dev, libgmp-dev, libfmt-dev, libtomlplusplus-dev, libxxhash-dev, "
       "libsndfile1-dev")
if(TARGET fftprec_external::fftw)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libfftw3-dev")
endif()
if(TARGET fftprec_external::avutil)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libavutil-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "fftprec, libgtest-dev")
if(FFTPREC_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fftprec)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS python3-pandas)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
endif()
if(FFTPREC_C)
  list(APPEND CPACK_COMPONENTS_ALL library)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libfftprec-c1)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
         ", libfftprec-c1 (= ${PROJECT_VERSION})")
endif()
include(CPack)
