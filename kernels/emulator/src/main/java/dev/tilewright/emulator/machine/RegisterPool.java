package dev.tilewright.emulator.machine;

import java.util.ArrayList;
import java.util.List;

/** Registers of a CTA that no warp owns; setmaxnreg gives and takes. */
public final class RegisterPool {
    private final List<Runnable> waiters = new ArrayList<>();
    private int free;

    RegisterPool() {}

    /** Takes registers if there are as many. */
    public boolean take(int registers) {
        if (registers > free) {
            return false;
        }
        free -= registers;
        return true;
    }

    public void give(int registers) {
        free += registers;
        List<Runnable> woken = List.copyOf(waiters);
        waiters.clear();
        woken.forEach(Runnable::run);
    }

    public void whenGiven(Runnable waiter) {
        waiters.add(waiter);
    }

    public int free() {
        return free;
    }
}
