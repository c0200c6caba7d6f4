package dev.tilewright.ptx.parse;

import java.util.Set;

/**
 * The directives of PTX 9.1, chapter 11 and 5.4: one that is not read is unsupported, any other word is no directive.
 */
final class Directives {
    private static final Set<String> NAMES = Set.of(
            "abi_preserve",
            "abi_preserve_control",
            "address_size",
            "alias",
            "align",
            "attribute",
            "blocksareclusters",
            "branchtargets",
            "callprototype",
            "calltargets",
            "common",
            "const",
            "entry",
            "explicitcluster",
            "extern",
            "file",
            "func",
            "global",
            "loc",
            "local",
            "managed",
            "maxclusterrank",
            "maxnctapersm",
            "maxnreg",
            "maxntid",
            "minnctapersm",
            "noreturn",
            "param",
            "pragma",
            "ptr",
            "reg",
            "reqnctapercluster",
            "reqntid",
            "samplerref",
            "section",
            "shared",
            "sreg",
            "surfref",
            "target",
            "tex",
            "texref",
            "unified",
            "v2",
            "v4",
            "version",
            "visible",
            "weak");

    private Directives() {}

    /** Why a directive was not read. */
    static Refusal unread(Token directive, String unsupported) {
        return NAMES.contains(directive.text())
                ? Refusal.unsupported(directive.at(), unsupported)
                : new Refusal(directive.at(), "." + directive.text() + " is no directive of PTX");
    }
}
