package dev.tilewright.api.platform.http.connection;

import java.time.Duration;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;

/** HTTP/1.1 with a limit of connections by address and a deadline for requests. Loaded by Tomcat by its name. */
public final class GuardedProtocol extends Http11NioProtocol {

    private final GuardedEndpoint endpoint;
    private final ArrivalWatch watch;

    public GuardedProtocol() {
        this(new ArrivalWatch());
    }

    private GuardedProtocol(ArrivalWatch watch) {
        this(watch, new GuardedEndpoint(watch.quiet()));
    }

    private GuardedProtocol(ArrivalWatch watch, GuardedEndpoint endpoint) {
        super(endpoint);
        this.watch = watch;
        this.endpoint = endpoint;
    }

    /**
     * Sets what is refused; before the start.
     *
     * @param byAddress connections that one address may hold
     * @param head from the first byte of a request to the end of its head
     * @param body from the first byte of a request to the end of its body
     * @param idle between two requests
     */
    public void limits(int byAddress, Duration head, Duration body, Duration idle) {
        endpoint.limit(byAddress);
        watch.quiet().limits(head, idle);
        watch.deadlines(new ArrivalWatch.Deadlines(head, body));
    }

    @Override
    protected Processor createProcessor() {
        return new WatchedProcessor(this, getAdapter(), watch);
    }

    @Override
    public void start() throws Exception {
        super.start();
        watch.start();
    }

    @Override
    public void stop() throws Exception {
        watch.stop();
        super.stop();
    }
}
