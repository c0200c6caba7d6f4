package dev.tilewright.worker.link.client;

import dev.tilewright.model.exchange.ServiceFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** The certificates that a client trusts. */
public final class Trust {

    private final @Nullable SSLContext context;

    private Trust(@Nullable SSLContext context) {
        this.context = context;
    }

    /** The certificates that Java trusts. */
    public static Trust ofJava() {
        return new Trust(null);
    }

    /**
     * Certificates that an authority has signed, for the host that was asked for.
     *
     * @param pem its certificate, or several
     * @throws IOException if there is none in the file
     */
    public static Trust ofAuthority(Path pem) throws IOException {
        try {
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            int number = 0;
            for (Certificate authority : read(pem)) {
                trusted.setCertificateEntry("authority-" + number++, authority);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(trusted);
            return of(managers.getTrustManagers());
        } catch (GeneralSecurityException unusable) {
            throw new IOException("cannot trust " + pem + ": " + unusable.getMessage(), unusable);
        }
    }

    /** Of a service of this machine: the certificate that it names, for it is asked for by an address. */
    public static Trust of(ServiceFile service) {
        return service.certificate() == null ? ofJava() : inExactly(Path.of(service.certificate()));
    }

    /**
     * The certificate in a file and no other, whatever its host is: that of the service of this machine, which says
     * where the file is. It is read again for each connection, since certificates are renewed.
     */
    public static Trust inExactly(Path pem) {
        try {
            return of(new Exactly(pem));
        } catch (GeneralSecurityException broken) {
            throw new IllegalStateException("this Java has no TLS", broken);
        }
    }

    private static Trust of(TrustManager... managers) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers, null);
        return new Trust(context);
    }

    private static Collection<? extends Certificate> read(Path pem) throws IOException, CertificateException {
        try (InputStream in = Files.newInputStream(pem)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (certificates.isEmpty()) {
                throw new CertificateException("there is no certificate in it");
            }
            return certificates;
        }
    }

    /** Has a client believe these. */
    public HttpClient.Builder applied(HttpClient.Builder client) {
        return context == null ? client : client.sslContext(context);
    }

    private static final class Exactly extends X509ExtendedTrustManager {

        private final Path pem;

        Exactly(Path pem) {
            this.pem = pem;
        }

        private void check(X509Certificate[] shown) throws CertificateException {
            try {
                if (!shown[0].equals(read(pem).iterator().next())) {
                    throw new CertificateException("the service shows another certificate than that in " + pem);
                }
            } catch (IOException unreadable) {
                throw new CertificateException("cannot read the certificate in " + pem, unreadable);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw noServer();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw noServer();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw noServer();
        }

        private static CertificateException noServer() {
            return new CertificateException("this is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
