package dev.tilewright.api.platform.http.connection;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.coyote.Adapter;
import org.apache.coyote.Constants;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one connection, and can be asked whether its request is late. */
final class WatchedProcessor extends Http11Processor {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedProcessor.class);

    private final ArrivalWatch watch;

    WatchedProcessor(AbstractHttp11Protocol<?> protocol, Adapter adapter, ArrivalWatch watch) {
        super(protocol, adapter);
        this.watch = watch;
    }

    @Override
    public SocketState process(SocketWrapperBase<?> socket, SocketEvent event) throws IOException {
        watch.add(this);
        SocketState state = SocketState.CLOSED;
        SocketChannel secured = socket.getSocket() instanceof SecureNioChannel channel ? channel.getIOChannel() : null;
        Long waitedUntil = secured == null ? null : watch.quiet().heard(secured);
        int before = request.getRequestProcessor().getRequestCount();
        try {
            state = super.process(socket, event);
            return state;
        } finally {
            // LONG: the head is not all there, or the answer is written by another thread.
            if (state != SocketState.LONG) {
                watch.remove(this);
            }
            if (secured != null && state == SocketState.OPEN) {
                waitForNext(secured, before, waitedUntil);
            }
        }
    }

    private void waitForNext(SocketChannel channel, int before, @Nullable Long waitedUntil) {
        boolean answered = request.getRequestProcessor().getRequestCount() > before;
        if (answered || waitedUntil == null) {
            watch.quiet().answered(channel);
        } else {
            watch.quiet().goOn(channel, waitedUntil);
        }
    }

    /** Whether bytes of a request have come; false again when its connection was given up. */
    boolean isServing() {
        return getSocketWrapper() != null && request.getStartTimeNanos() >= 0;
    }

    /** Lets the reader of a late request see its end, so that Tomcat closes the connection in its own way. */
    void cutIfLate(long nowNs, ArrivalWatch.Deadlines deadlines) {
        SocketWrapperBase<?> socket = getSocketWrapper();
        long sinceNs = request.getStartTimeNanos();
        if (socket == null || sinceNs < 0) {
            return;
        }
        boolean head = isHeadArriving();
        Duration limit = head ? deadlines.head() : deadlines.body();
        boolean late = nowNs - sinceNs > limit.toNanos() && (head || !isRequestBodyFullyRead());
        // Another connection may have taken this processor meanwhile.
        if (late && getSocketWrapper() == socket && socket.getSocket() instanceof NioChannel channel) {
            cut(channel.getIOChannel());
        }
    }

    static void cut(SocketChannel channel) {
        try {
            channel.shutdownInput();
        } catch (IOException alreadyClosed) {
            LOG.debug("a late request has ended by itself", alreadyClosed);
        }
    }

    /** Between two reads of a head Tomcat has no stage for it. */
    private boolean isHeadArriving() {
        return !isAsync()
                && switch (request.getRequestProcessor().getStage()) {
                    case Constants.STAGE_SERVICE, Constants.STAGE_ENDINPUT, Constants.STAGE_ENDOUTPUT -> false;
                    default -> true;
                };
    }
}
