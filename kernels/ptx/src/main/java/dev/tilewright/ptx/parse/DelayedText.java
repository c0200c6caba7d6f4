package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The text of a kernel that waits before it begins: each thread reads a number of steps from a variable of the module,
 * and multiplies so often. Nothing else is touched, so that the rest is the same kernel.
 *
 * <p>A step is a multiplication that needs the one before it, about 15 cycles on Hopper. A loop that looks at the clock
 * is coarser, and where it lies in memory decides whether it looks once more.
 *
 * <p>Reading takes time of its own, also where the number is 0. Two kernels that both read differ by the wait alone.
 */
public final class DelayedText {

    /** The variable, a {@code .u64} that is 0 at first. */
    public static final String VARIABLE = "tilewright_delay";

    private static final String DECLARATION = ".visible .global .align 8 .u64 " + VARIABLE + " = 0;\n\n";

    /**
     * A block of its own, whose names are nobody else's. Whether there is a next step is asked a step ahead, so that no
     * branch waits for the answer. The upper half of the variable is always 0, which the assembler does not know: it
     * keeps the product, which would be stored otherwise.
     */
    private static final String WAIT = """

            \t{
            \t.reg .pred %tilewright_more, %tilewright_then;
            \t.reg .b32 %tilewright_left, %tilewright_kept, %tilewright_product;
            \tld.global.v2.u32 {%tilewright_left, %tilewright_kept}, [tilewright_delay];
            \tmov.u32 %tilewright_product, %tilewright_left;
            \tsetp.gt.s32 %tilewright_more, %tilewright_left, 0;
            tilewright_wait:
            \tsetp.gt.s32 %tilewright_then, %tilewright_left, 1;
            \tmad.lo.u32 %tilewright_product, %tilewright_product, %tilewright_product, %tilewright_left;
            \t@!%tilewright_more bra tilewright_begin;
            \tsetp.gt.s32 %tilewright_more, %tilewright_left, 2;
            \tsub.s32 %tilewright_left, %tilewright_left, 2;
            \tmad.lo.u32 %tilewright_product, %tilewright_product, %tilewright_product, %tilewright_left;
            \t@%tilewright_then bra tilewright_wait;
            tilewright_begin:
            \tsetp.ne.u32 %tilewright_more, %tilewright_kept, 0;
            \t@%tilewright_more st.global.u32 [tilewright_delay], %tilewright_product;
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

    /** The opening brace of the kernel's body; a declaration in advance has none. */
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
