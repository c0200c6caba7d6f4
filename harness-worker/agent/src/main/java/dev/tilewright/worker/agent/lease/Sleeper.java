package dev.tilewright.worker.agent.lease;

import java.time.Duration;

/** Lets a thread wait; tests let time pass by themselves. */
@FunctionalInterface
public interface Sleeper {

    /** Waits in real time. */
    Sleeper REAL = Thread::sleep;

    void sleep(Duration duration) throws InterruptedException;
}
