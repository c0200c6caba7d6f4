package dev.tilewright.worker.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A verb that talks to a service. */
public abstract class ServiceVerb implements Callable<Integer> {

    @Mixin
    protected ServiceOptions service = new ServiceOptions();

    protected final Map<String, String> environment;
    protected final Printer out;
    protected final PrintStream err;

    /**
     * @param out results
     * @param err progress and notices
     */
    protected ServiceVerb(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = Printer.of(environment, out);
        this.err = err;
    }

    /** To a service that is asked what it knows: one that is started for that needs no GPU. */
    protected final Connection connect() throws InterruptedException {
        return connect("simulated:h200");
    }

    /** @param device what a service that is started here is to offer */
    protected final Connection connect(String device) throws InterruptedException {
        return service.connect(environment, device, err);
    }

    /** Says how the work of the verb goes on. */
    protected final RedrawnLine progress() {
        return new RedrawnLine(new PrintWriter(err, true), Terminal.of(environment), Clock.systemUTC());
    }
}
