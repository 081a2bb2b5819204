# Writes files, one behind the other, as a C array: cmake -DINPUT=a.js,b.js -DOUTPUT=a.c -DNAME=symbol -P embed.cmake
string(REPLACE "," ";" files "${INPUT}")
set(array "")
foreach(file ${files})
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND array "${bytes}\n")
endforeach()
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${array}0};\n\
extern const unsigned long ${NAME}_size; /* without the zero behind it */\n\
const unsigned long ${NAME}_size = sizeof ${NAME} - 1;\n")
