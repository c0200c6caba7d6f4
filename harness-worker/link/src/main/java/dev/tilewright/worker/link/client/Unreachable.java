package dev.tilewright.worker.link.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Why a host was not reached, in words: the exceptions of the HTTP client often have none of their own. */
final class Unreachable {

    private Unreachable() {}

    /** Whether it is the certificate that is not believed. */
    static boolean isUntrusted(SSLHandshakeException failed) {
        return Stream.iterate((Throwable) failed, cause -> cause != null, Throwable::getCause)
                .anyMatch(CertificateException.class::isInstance);
    }

    private static String innermost(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .reduce((outer, inner) -> inner)
                .map(Throwable::getMessage)
                .orElse("no reason is given");
    }

    static String reason(IOException away) {
        boolean unknownHost = Stream.iterate((Throwable) away, cause -> cause != null, Throwable::getCause)
                .anyMatch(UnresolvedAddressException.class::isInstance);
        if (unknownHost) {
            return "its host name is unknown";
        }
        return switch (away) {
            case SSLHandshakeException untrusted
            when isUntrusted(untrusted) ->
                "its certificate is not believed (" + innermost(untrusted)
                        + "); --tls-ca names the certificate of the authority that signed it";
            case SSLException noTls -> "no TLS connection: " + noTls.getMessage();
            case HttpConnectTimeoutException _ -> "no connection in time";
            case HttpTimeoutException _ -> "no answer in time";
            case ConnectException refused when refused.getMessage() == null -> "connection refused";
            default -> away.getMessage() == null ? away.getClass().getSimpleName() : away.getMessage();
        };
    }
}
