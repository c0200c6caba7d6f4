package dev.tilewright.api.platform.process;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/** Where the service listens, and where it can be reached from its own machine. */
@Component
final class ListenAddress {

    private final InetAddress address;
    private final @Nullable Path certificate;

    ListenAddress(ServerProperties server) {
        this.address = server.getAddress() == null ? InetAddress.getLoopbackAddress() : server.getAddress();
        // Given as a resource of Spring; a service that was not started by serve may have it elsewhere.
        String resource = server.getSsl() == null ? null : server.getSsl().getCertificate();
        this.certificate = resource == null ? null : Path.of(resource.replaceFirst("^file:", ""));
    }

    /** The certificate that it shows, in a file; {@code null} if it speaks plain HTTP. */
    @Nullable
    Path certificate() {
        return certificate;
    }

    /** Base URL; an address that means all interfaces is reached on the loopback one. */
    String url(int port) {
        return url(address.isAnyLocalAddress() ? "127.0.0.1" : literal(address), port);
    }

    /** Base URL with the address that was asked for, also where that means all interfaces. */
    String asAsked(int port) {
        return url(literal(address), port);
    }

    /** Base URL for people, who may be at another machine: one that listens at all addresses is known by its name. */
    String forPeople(int port) {
        return address.isAnyLocalAddress() ? url(name(), port) : url(port);
    }

    private static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "127.0.0.1";
        }
    }

    private String url(String host, int port) {
        return (certificate == null ? "http://" : "https://") + host + ":" + port;
    }

    private static String literal(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        return address.isAnyLocalAddress() ? "[::]" : "[" + address.getHostAddress() + "]";
    }
}
