package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The text of a kernel that waits before it begins: each thread reads a number of cycles from a variable of the module,
 * and goes on when so many have passed since it has read it. Nothing else is touched, so that the rest is the same
 * kernel.
 *
 * <p>Reading takes time of its own, also where the number is 0. Two kernels that both read differ by the wait alone.
 */
public final class DelayedText {

    /** The variable, a {@code .u64} that is 0 at first. */
    public static final String VARIABLE = "tilewright_delay";

    private static final String DECLARATION = ".visible .global .align 8 .u64 " + VARIABLE + " = 0;\n\n";

    /** A block of its own, whose names are nobody else's. */
    private static final String WAIT = """

            \t{
            \t.reg .pred %tilewright_early;
            \t.reg .b64 %tilewright_begun, %tilewright_delay, %tilewright_passed;
            \tld.global.u64 %tilewright_delay, [tilewright_delay];
            \tsetp.ne.u64 %tilewright_early, %tilewright_delay, 0;
            \tmov.u64 %tilewright_begun, 0;
            \t@%tilewright_early mov.u64 %tilewright_begun, %clock64;
            tilewright_wait:
            \tmov.u64 %tilewright_passed, %clock64;
            \tsub.s64 %tilewright_passed, %tilewright_passed, %tilewright_begun;
            \tsetp.lt.u64 %tilewright_early, %tilewright_passed, %tilewright_delay;
            \t@%tilewright_early bra tilewright_wait;
            \t}
            """.stripTrailing();

    private DelayedText() {}

    /**
     * The text with the wait in front of one of its kernels.
     *
     * @param ptx a text that an assembler takes; what it does not take is not looked for
     * @param entry the name of the kernel
     * @throws IllegalArgumentException if the text has no such kernel, no header, or the wait already
     */
    public static String of(String ptx, String entry) {
        Cursor tokens = Lexer.read(ptx, new Problems());
        int header = offset(ptx, behindHeader(tokens));
        int body = offset(ptx, openingBrace(tokens, entry)) + 1;
        return ptx.substring(0, header) + DECLARATION + ptx.substring(header, body) + WAIT + ptx.substring(body);
    }

    /** The first token behind {@code .version}, {@code .target} and {@code .address_size}. */
    private static Token behindHeader(Cursor tokens) {
        if (!tokens.acceptModifier("version")) {
            throw new IllegalArgumentException(
                    "a text of PTX begins with .version, got " + tokens.peek().shown());
        }
        tokens.next();
        if (!tokens.acceptModifier("target")) {
            throw new IllegalArgumentException(
                    "behind .version comes .target, got " + tokens.peek().shown());
        }
        do {
            tokens.next();
        } while (tokens.accept(","));
        if (tokens.acceptModifier("address_size")) {
            tokens.next();
        }
        return tokens.peek();
    }

    /** That of the kernel's body; a declaration in advance has none. */
    private static Token openingBrace(Cursor tokens, String entry) {
        Token body = null;
        while (!tokens.atEnd()) {
            Token token = tokens.next();
            if (token.is(Kind.WORD, VARIABLE)) {
                throw new IllegalArgumentException("the text has a " + VARIABLE + " already");
            }
            if (body == null
                    && token.is(Kind.MODIFIER, "entry")
                    && tokens.peek().is(Kind.WORD, entry)) {
                body = body(tokens);
            }
        }
        if (body == null) {
            throw new IllegalArgumentException("the text has no kernel '" + entry + "'");
        }
        return body;
    }

    private static @Nullable Token body(Cursor tokens) {
        while (!tokens.atEnd()) {
            Token token = tokens.next();
            if (token.isMark("{")) {
                return token;
            }
            if (token.is(Kind.MODIFIER, "pragma")) {
                skipPragma(tokens);
            } else if (token.isMark(";")) {
                return null;
            }
        }
        return null;
    }

    /** One in front of a body ends with a semicolon, which ends no declaration. */
    private static void skipPragma(Cursor tokens) {
        while (!tokens.atEnd() && !tokens.next().isMark(";")) {
            // Strings, and commas between them.
        }
    }

    private static int offset(String text, Token token) {
        int start = 0;
        for (int line = 1; line < token.at().line(); line++) {
            start = text.indexOf('\n', start) + 1;
        }
        return start + token.at().column() - 1;
    }
}
