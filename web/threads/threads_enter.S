# threads_enter(index, stack): where a worker enters the module as helper number `index`. It gets a stack of its own,
# which ends at `stack`, before any C runs.
    .globaltype __stack_pointer, i32
    .functype threads_serve (i32) -> ()
    .export_name threads_enter, threads_enter
    .section .text.threads_enter,"",@
    .globl threads_enter
    .type threads_enter,@function
threads_enter:
    .functype threads_enter (i32, i32) -> ()
    local.get 1
    global.set __stack_pointer
    local.get 0
    call threads_serve
    unreachable
    end_function
