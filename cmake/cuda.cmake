# The CUDA backend of the whole-board solver, a shared object of its own: built where nvcc is, loaded where a card is.
find_program(SORTIE_NVCC nvcc HINTS /usr/local/cuda/bin)
option(SORTIE_CUDA "Build the CUDA backend where nvcc is found" ON)
if(SORTIE_CUDA AND SORTIE_NVCC AND NOT SORTIE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  set(cuda_targets "" CACHE STRING "Further options for nvcc, for example -arch=native")
  set(cuda_object ${PROJECT_BINARY_DIR}/cuda_whole.o)
  add_custom_command(OUTPUT ${cuda_object}
    COMMAND ${SORTIE_NVCC} -O3 -std=c++17 -Xcompiler -fPIC -gencode arch=compute_80,code=compute_80
            -gencode arch=compute_90,code=sm_90 ${cuda_targets} -c ${PROJECT_SOURCE_DIR}/cuda/whole.cu -o ${cuda_object}
    DEPENDS cuda/whole.cu cuda/whole_cuda.h)
  add_library(sortie_cuda MODULE cuda/backend.c ${cuda_object})
  target_include_directories(sortie_cuda PRIVATE cuda)
  get_filename_component(cuda_bin ${SORTIE_NVCC} DIRECTORY)
  find_library(SORTIE_CUDART NAMES libcudart_static.a HINTS ${cuda_bin}/../lib64 ${cuda_bin}/../targets/x86_64-linux/lib)
  target_link_libraries(sortie_cuda PRIVATE sortie_core ${SORTIE_CUDART} stdc++ rt ${CMAKE_DL_LIBS})
  set_target_properties(sortie_cuda PROPERTIES PREFIX "" OUTPUT_NAME sortie-cuda
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  install(TARGETS sortie_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sortie)
endif()
