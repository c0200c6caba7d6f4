package dev.tilewright.api.platform.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 of texts, as 64 hexadecimal digits. */
final class Signature {

    private static final String ALGORITHM = "HmacSHA256";

    private Signature() {}

    /** The signature of a text under a key. */
    static String of(String key, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(bytes(key), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(bytes(text)));
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(ALGORITHM, everyJavaHasIt);
        }
    }

    /** Whether two secrets are equal, in a time that does not depend on where they differ. */
    static boolean equal(String one, String other) {
        return MessageDigest.isEqual(bytes(one), bytes(other));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
