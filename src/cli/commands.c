int commands_placeholder(void);
int commands_placeholder(void) {
    return 0;
}
