package dev.tilewright.api.platform.process;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.stereotype.Component;

/** Where the service can be reached from its own machine. */
@Component
final class ListenAddress {

    private final InetAddress address;

    ListenAddress(ServerProperties server) {
        this.address = server.getAddress() == null ? InetAddress.getLoopbackAddress() : server.getAddress();
    }

    /** Base URL; an address that means all interfaces is reached on the loopback one. */
    String url(int port) {
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return "http://" + (address instanceof Inet6Address && !address.isAnyLocalAddress() ? "[" + host + "]" : host)
                + ":" + port;
    }
}
