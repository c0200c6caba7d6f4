package dev.tilewright.api.platform.http.connection;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The addresses that one host may call from: an address of IPv4, or a network of 64 bits of IPv6.
 *
 * @param prefix the address or the 64 bits
 */
public record Network(Object prefix) {

    public static Network of(InetAddress address) {
        return new Network(
                address instanceof Inet6Address
                        ? (Object) ByteBuffer.wrap(address.getAddress()).getLong()
                        : address);
    }

    /** @param client address of a client as the container tells it, which is no name */
    public static Network of(String client) {
        return of(InetAddress.ofLiteral(client));
    }
}
