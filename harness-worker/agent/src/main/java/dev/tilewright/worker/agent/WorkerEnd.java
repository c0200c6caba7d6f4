package dev.tilewright.worker.agent;

import dev.tilewright.worker.agent.lease.DeadThreadException;
import dev.tilewright.worker.link.command.ExitCode;
import java.time.Duration;

/** The end of a worker that has lost a thread. It exits with the code of the infrastructure, and is started anew. */
public final class WorkerEnd {

    /** The last reports are sent and leases given back in this time; what hangs then does not keep the process. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(20);

    private static final int CODE = ExitCode.INFRASTRUCTURE.code();

    private WorkerEnd() {}

    /** Has the process end when a thread ends by a fault that nobody catches, whatever thread it is. */
    public static void onUncaught() {
        Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> {
            System.err.println("tilewright worker: " + new DeadThreadException(thread.getName(), fault).getMessage());
            fault.printStackTrace();
            soon();
            // On a thread of its own: to exit waits for the hooks of the shutdown, and the dead one may be such a hook.
            Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(CODE));
        });
    }

    /** Has the process end even where the way out is blocked: an error leaves behind what nobody can know. */
    static void soon() {
        Thread.ofPlatform().daemon().name("last words").start(() -> {
            try {
                Thread.sleep(LAST_WORDS);
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(CODE);
        });
    }
}
