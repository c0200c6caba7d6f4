package dev.tilewright.worker.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.stream.Stream;

/** Why a host was not reached, in words: the exceptions of the HTTP client often have none of their own. */
final class Unreachable {

    private Unreachable() {}

    static String reason(IOException away) {
        boolean unknownHost = Stream.iterate((Throwable) away, cause -> cause != null, Throwable::getCause)
                .anyMatch(UnresolvedAddressException.class::isInstance);
        if (unknownHost) {
            return "its host name is unknown";
        }
        return switch (away) {
            case HttpConnectTimeoutException _ -> "no connection in time";
            case HttpTimeoutException _ -> "no answer in time";
            case ConnectException refused when refused.getMessage() == null -> "connection refused";
            default -> away.getMessage() == null ? away.getClass().getSimpleName() : away.getMessage();
        };
    }
}
