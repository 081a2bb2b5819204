# Writes a file as a C array: cmake -DINPUT=a.js -DOUTPUT=a.c -DNAME=symbol -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "extern const char ${NAME}[];\nconst char ${NAME}[] = {${bytes}0};\n")
