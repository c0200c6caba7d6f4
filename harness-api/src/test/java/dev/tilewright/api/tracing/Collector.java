package dev.tilewright.api.tracing;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;

/** Receives OTLP over HTTP, and reads it with the protocol's own classes. */
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final List<ResourceSpans> taken = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int status = 200;

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            try (exchange) {
                byte[] body = new GZIPInputStream(exchange.getRequestBody()).readAllBytes();
                ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(body);
                // Whoever sees what was taken may change it at once.
                int answer = status;
                if (answer == 200) {
                    taken.addAll(request.getResourceSpansList());
                }
                exchange.getResponseHeaders().add("content-type", "application/x-protobuf");
                exchange.sendResponseHeaders(answer, -1);
                requests.incrementAndGet();
            }
        });
        server.start();
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    /** From now on it answers with this status, and takes nothing unless it is 200. */
    void answer(int with) {
        status = with;
    }

    int requests() {
        return requests.get();
    }

    List<ResourceSpans> taken() {
        return taken;
    }

    List<Span> spans() {
        return taken.stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
