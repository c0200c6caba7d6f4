package dev.tilewright.api.platform.process;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.ssl.pem.PemContent;

/**
 * Certificate and key of a service for TLS.
 *
 * @param certificate that of the service, and those that it was signed with, as PEM
 * @param key of the first certificate, as PEM without a password
 */
public record TlsFiles(Path certificate, Path key) {

    /** Why they cannot be used, in one line; empty if they can. */
    public Optional<String> obstacle() {
        List<X509Certificate> certificates;
        try {
            certificates = PemContent.load(certificate).getCertificates();
        } catch (IOException | RuntimeException unusable) {
            return Optional.of("--tls-cert: no certificate can be read from " + certificate);
        }
        PrivateKey secret;
        try {
            secret = PemContent.load(key).getPrivateKey();
        } catch (IOException | RuntimeException unusable) {
            return Optional.of("--tls-key: no private key without a password can be read from " + key);
        }
        if (certificates == null || certificates.isEmpty()) {
            return Optional.of("--tls-cert: there is no certificate in " + certificate);
        }
        if (secret == null) {
            return Optional.of("--tls-key: there is no private key in " + key);
        }
        return isOf(secret, certificates.getFirst().getPublicKey())
                ? Optional.empty()
                : Optional.of("--tls-key: " + key + " is not the key of the first certificate in " + certificate);
    }

    /** Whether one opens what the other has closed. */
    private static boolean isOf(PrivateKey secret, PublicKey open) {
        if (!secret.getAlgorithm().equals(open.getAlgorithm())) {
            return false;
        }
        try {
            Signature signature = Signature.getInstance(
                    switch (secret.getAlgorithm()) {
                        case "EC" -> "SHA256withECDSA";
                        case "RSA" -> "SHA256withRSA";
                        default -> secret.getAlgorithm();
                    });
            byte[] text = {1, 2, 3};
            signature.initSign(secret);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(open);
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException noPair) {
            return false;
        }
    }
}
