package dev.tilewright.system.faults;

import java.util.ArrayList;
import java.util.List;

/** Threads that do nothing for as long as they can, so that nobody else has the machine for itself. */
final class BusyCores implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();

    BusyCores(int count) {
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofPlatform().daemon().name("busy-" + i).start(BusyCores::spin));
        }
    }

    private static void spin() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
