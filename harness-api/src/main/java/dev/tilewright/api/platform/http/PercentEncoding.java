package dev.tilewright.api.platform.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Reads percent-encoded text as RFC 3986 has it, and lets nothing pass that is not exactly that. */
final class PercentEncoding {

    private PercentEncoding() {}

    /**
     * The text.
     *
     * @throws IllegalArgumentException if a percent sign has no two digits, the bytes are no UTF-8, or a character is a
     *     control character
     */
    static String decode(String encoded) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char each = encoded.charAt(i);
            if (each != '%') {
                bytes.writeBytes(String.valueOf(each).getBytes(StandardCharsets.UTF_8));
            } else if (i + 2 < encoded.length()
                    && HexFormat.isHexDigit(encoded.charAt(i + 1))
                    && HexFormat.isHexDigit(encoded.charAt(i + 2))) {
                bytes.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            } else {
                throw new IllegalArgumentException(
                        "must have two hexadecimal digits after each %, got '" + encoded + "'");
            }
        }
        String text = utf8(bytes.toByteArray(), encoded);
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("must not have control characters, got '" + encoded + "'");
        }
        return text;
    }

    private static String utf8(byte[] bytes, String encoded) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException("must be UTF-8, got '" + encoded + "'", malformed);
        }
    }
}
