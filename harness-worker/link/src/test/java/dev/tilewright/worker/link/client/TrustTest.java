package dev.tilewright.worker.link.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose certificate is for {@code localhost} and by nobody that Java knows. */
@Timeout(120)
class TrustTest {

    private static final String PASSWORD = "no secret";

    @TempDir
    private Path folder;

    private HttpsServer server;
    private Path certificate;

    @BeforeEach
    void open() throws Exception {
        KeyStore keys = keys("server");
        certificate = pem("server", keys);
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 4);
                exchange.getResponseBody().write("\"ok\"".getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private KeyStore keys(String alias) throws Exception {
        Path store = folder.resolve(alias + ".p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        alias,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "2",
                        "-dname",
                        "CN=" + alias,
                        "-ext",
                        "san=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString()))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private Path pem(String alias, KeyStore keys) throws Exception {
        return Files.writeString(
                folder.resolve(alias + ".pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getCertificate(alias).getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
    }

    private String ask(String host, Trust trust) throws Exception {
        URI base = URI.create("https://" + host + ":" + server.getAddress().getPort());
        try (ApiClient client = new ApiClient(base, null, trust)) {
            return client.get("/", String.class);
        }
    }

    @Test
    void anUnknownAuthorityIsNotBelievedUntilItIsNamed() throws Exception {
        assertThatThrownBy(() -> ask("localhost", Trust.ofJava()))
                .isInstanceOf(UntrustedException.class)
                .hasMessageContaining("cannot trust https://localhost:")
                .hasMessageContaining("--tls-ca names the certificate of the authority");
        assertThat(ask("localhost", Trust.ofAuthority(certificate))).isEqualTo("ok");
    }

    @Test
    void anAuthorityIsBelievedForTheHostThatItSignedAlone() throws Exception {
        Trust authority = Trust.ofAuthority(certificate);
        assertThatThrownBy(() -> ask("127.0.0.1", authority)).isInstanceOf(UntrustedException.class);
    }

    @Test
    void theServiceOfThisMachineIsKnownByItsCertificateWhateverItsNameIs() throws Exception {
        assertThat(ask("127.0.0.1", Trust.inExactly(certificate))).isEqualTo("ok");
        Path other = pem("other", keys("other"));
        assertThatThrownBy(() -> ask("127.0.0.1", Trust.inExactly(other)))
                .isInstanceOf(UntrustedException.class)
                .hasMessageContaining("the service shows another certificate than that in " + other);
        assertThatThrownBy(() -> ask("127.0.0.1", Trust.inExactly(folder.resolve("none"))))
                .isInstanceOf(UntrustedException.class);
    }

    @Test
    void aFileWithoutACertificateIsRefused() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.pem"), "");
        assertThatThrownBy(() -> Trust.ofAuthority(empty))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot trust " + empty + ": there is no certificate in it");
    }
}
