package dev.tilewright.api.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.access.KnownSessions;
import dev.tilewright.api.platform.access.LoginLink;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.model.space.Sha256;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What is around every page: headers, login, forms, and pages for what went wrong. */
@ExtendWith(RunningService.class)
class FrameTest {

    /** A token may have any characters. */
    private static final String TOKEN = "the;token=of,the-operator";

    private static final String SESSION = "tilewright-session";

    private static RunningService.Service guarded;

    @BeforeAll
    static void start() {
        guarded = RunningService.start(Map.of("tilewright.user-token", TOKEN, "db-scheduler.enabled", "false"));
    }

    @AfterAll
    static void stop() {
        guarded.close();
    }

    private static HttpRequest.Builder page(Api api, String path) {
        return api.request(path).header("accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    }

    private static Api.Answer post(Api api, String path, Map<String, String> form, String... headers) {
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest.Builder request = page(api, path)
                .header("content-type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return api.send(request);
    }

    private static String formToken(Api.Answer page) {
        Matcher matcher =
                Pattern.compile("name=\"formToken\" value=\"([0-9a-f]{64})\"").matcher(page.text());
        assertThat(matcher.find()).as(page.text()).isTrue();
        return matcher.group(1);
    }

    private static String cookie(Api.Answer page, String name) {
        return page.response().headers().allValues("set-cookie").stream()
                .filter(cookie -> cookie.startsWith(name + "="))
                .findFirst()
                .orElseThrow();
    }

    private static String pair(String cookie) {
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/login", "/nope", "/assets/style.css", "/assets/lib/htmx-2.0.11.min.js"})
    void aPageHasNothingOfOthersAndIsInNoFrame(String path, Api api) {
        Api.Answer page = api.send(page(api, path));
        assertThat(page.header("content-security-policy"))
                .contains("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.header("x-content-type-options")).isEqualTo("nosniff");
        assertThat(page.header("referrer-policy")).isEqualTo("same-origin");
        if (page.header("content-type").startsWith("text/html")) {
            assertThat(page.header("cache-control")).isEqualTo("no-store");
            assertThat(page.text()).doesNotContainPattern("(?i)<script>|style=\"|onclick|https?://(?!127)");
        }
    }

    @Test
    void assetsAreAskedForAgainUnlessTheirNameHasTheirVersion(Api api) {
        Api.Answer style = api.get("/assets/style.css");
        assertThat(style.header("cache-control")).isEqualTo("no-cache");
        assertThat(api.send(api.request("/assets/style.css")
                                .header("if-none-match", style.header("etag"))
                                .GET())
                        .status())
                .isEqualTo(304);
        assertThat(api.get("/assets/lib/echarts-6.1.0.min.js").header("cache-control"))
                .contains("max-age=31536000", "immutable");
    }

    @Test
    void whatGoesWrongIsAPageForBrowsersAndADocumentForPrograms(Api api) {
        Api.Answer missing = api.send(page(api, "/nope"));
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.header("content-type")).startsWith("text/html");
        assertThat(missing.text()).contains("<h1>", "To the jobs");
        api.get("/nope").problem(404);
        api.send(page(api, "/api/v1/nope")).problem(404);
        Api.Answer malformed = api.send(page(api, "/jobs/4711"));
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.text()).contains("must be a UUID, got &#39;4711&#39;");
        Api.Answer job = api.send(page(api, "/jobs/00000000-0000-4000-8000-000000000001"));
        assertThat(job.status()).isEqualTo(404);
        assertThat(job.text()).contains("there is no job 00000000-0000-4000-8000-000000000001");
        Api.Answer elsewhere = api.send(page(api, "/?cursor=x"));
        assertThat(elsewhere.status()).isEqualTo(400);
        Api.Answer unknown = api.send(page(api, "/?limits=3"));
        assertThat(unknown.text()).contains("unknown parameter &#39;limits&#39;; known: cursor");
    }

    @Test
    void aFormMustBeOneThatThisBrowserGot(Api api) {
        Api.Answer page = api.send(page(api, "/"));
        String visit = pair(cookie(page, SESSION));
        assertThat(cookie(page, SESSION)).contains("HttpOnly", "SameSite=Strict");
        Map<String, String> job = Map.of("shapes", "64x128x256", "trials", "1");
        assertThat(post(api, "/jobs", job).status()).isEqualTo(403);
        assertThat(post(api, "/jobs", job, "cookie", visit).status()).isEqualTo(403);
        Map<String, String> forged = Map.of("shapes", "64x128x256", "formToken", "a".repeat(64));
        assertThat(post(api, "/jobs", forged, "cookie", visit).text())
                .contains("the form is not one that this browser got");
        Map<String, String> own = Map.of("shapes", "64x128x256", "trials", "1", "formToken", formToken(page));
        assertThat(post(api, "/jobs", own, "cookie", visit, "origin", "http://stranger.example")
                        .status())
                .isEqualTo(403);
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).isEmpty();
        Api.Answer taken = post(api, "/jobs", own, "cookie", visit);
        assertThat(taken.status()).isEqualTo(302);
        assertThat(api.get("/api/v1/jobs").expect(200).get("items")).hasSize(1);
        api.send(page(api, "/jobs")
                        .header("content-type", "text/plain")
                        .POST(HttpRequest.BodyPublishers.ofString("shapes=64x64x64")))
                .response();
    }

    @Test
    void everyFieldThatCannotBeReadIsSaidInTheWordsOfTheForm(Api api) {
        Api.Answer page = api.send(page(api, "/"));
        String visit = pair(cookie(page, SESSION));
        Api.Answer refused = post(
                api,
                "/jobs",
                Map.of(
                        "shapes", "64x128x256\n12\n8x0x8",
                        "types", "bf16,f16",
                        "trials", "many",
                        "formToken", formToken(page)),
                "cookie",
                visit);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.text())
                .contains(
                        "Types: give one type, or those of A, B and D, got &#39;bf16,f16&#39;",
                        "Shapes: a shape is MxNxK, such as 2048x1024x768, got &#39;12&#39;",
                        "Shapes: n must be at least 1, got 0",
                        "Trials: must be a whole number, got &#39;many&#39;")
                .contains("64x128x256\n12\n8x0x8</textarea>");
        Api.Answer later = post(
                api,
                "/jobs",
                Map.of("shapes", "64x64x64\n64x128x100", "schedulers", "none", "formToken", formToken(page)),
                "cookie",
                visit);
        assertThat(later.text()).contains("Shape 2: ");
    }

    /** As on the command line. */
    @Test
    void whatIsNearlyRightComesBackWithWhatMayHaveBeenMeant(Api api) {
        Visit visit = Visit.at(api, "/");
        assertThat(visit.send("/jobs", Map.of("shapes", "2048X1024X768", "types", "fp16"))
                        .text())
                .contains("got &#39;2048X1024X768&#39;; did you mean 2048x1024x768?", "e5m2; did you mean f16?");
        assertThat(visit.send("/jobs", Map.of("shapes", "2048x1024x768", "strategy", "modle"))
                        .text())
                .contains("; did you mean model?");
        assertThat(visit.read("/predict?shape=2048,1024,768")).contains("did you mean 2048x1024x768?");
        assertThat(visit.read("/predict/picks?shape=2048x1024x768&dtype=half&gpu=h200"))
                .contains("did you mean f16?");
    }

    @Test
    void whereUsersNeedATokenItComesByAFormAndStaysInACookie() {
        Api api = guarded.api();
        Api.Answer door = api.send(page(api, "/shapes"));
        assertThat(door.status()).isEqualTo(401);
        assertThat(door.text()).contains("<h1>Log in</h1>", "name=\"next\" value=\"/shapes\"");
        api.get("/shapes").problem(401);
        String visit = pair(cookie(door, SESSION));
        String formToken = formToken(door);
        // Nothing is to be seen at the path of a form: whoever logs in there sees the jobs.
        assertThat(post(api, "/jobs", Map.of("shapes", "64x64x64", "formToken", formToken), "cookie", visit)
                        .text())
                .contains("<h1>Log in</h1>", "name=\"next\" value=\"/\"");

        Api.Answer wrong =
                post(api, "/login", Map.of("token", "wrong", "next", "/", "formToken", formToken), "cookie", visit);
        assertThat(wrong.status()).isEqualTo(403);
        assertThat(wrong.text()).contains("This token is not known here");
        assertThat(wrong.response().headers().allValues("set-cookie")).isEmpty();
        Api.Answer worker = post(
                api, "/login", Map.of("token", RunningService.WORKER_TOKEN, "formToken", formToken), "cookie", visit);
        assertThat(worker.text()).contains("This token is for workers");

        Api.Answer right = post(
                api,
                "/login",
                Map.of("token", TOKEN, "next", "https://stranger.example/", "formToken", formToken),
                "cookie",
                visit);
        assertThat(right.status()).isEqualTo(302);
        assertThat(right.header("location")).isEqualTo(api.uri("/").toString());
        String cookie = cookie(right, SESSION);
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/").doesNotContain("Secure");
        assertThat(api.send(page(api, "/").header("cookie", pair(cookie))).text())
                .contains("(operator), operator", "Log out");
        // So do the files that a page has links to, as far as they are there.
        String trial = "/trials/00000000-0000-4000-8000-000000000001/";
        for (String file :
                List.of("/shapes/best.csv", "/shapes/best.json", trial + "kernel.cubin", trial + "launch.json")) {
            assertThat(api.send(page(api, file)).status()).as(file).isEqualTo(401);
            assertThat(api.send(page(api, file).header("cookie", pair(cookie))).status())
                    .as(file)
                    .isEqualTo(file.startsWith(trial) ? 404 : 200);
        }
        // A cookie opens pages alone.
        api.send(api.request("/api/v1/jobs").header("cookie", pair(cookie))).problem(401);

        // The form token of the visit before the login is not that of the session.
        assertThat(post(api, "/logout", Map.of("formToken", formToken), "cookie", pair(cookie))
                        .status())
                .isEqualTo(403);
        Api.Answer out = logOut(api, pair(cookie));
        assertThat(cookie(out, SESSION)).contains("Max-Age=0");
        for (String open : List.of("/login", "/assets/style.css", "/actuator/health")) {
            assertThat(api.get(open).status()).as(open).isEqualTo(200);
        }
    }

    /** A proxy that ended TLS says so. Without the setting it might be anybody who says it. */
    @Test
    void behindAProxyThatEndsTlsTheCookieIsForTlsAlone() {
        assertThat(cookieOfLogin(guarded.api(), "x-forwarded-proto", "https"))
                .startsWith(SESSION)
                .doesNotContain("Secure");
        try (RunningService.Service proxied = RunningService.start(Map.of(
                "tilewright.user-token",
                TOKEN,
                "tilewright.http.behind-proxy",
                "true",
                "db-scheduler.enabled",
                "false"))) {
            assertThat(cookieOfLogin(proxied.api(), "x-forwarded-proto", "https"))
                    .startsWith("__Host-" + SESSION)
                    .contains("Secure", "HttpOnly", "SameSite=Strict", "Path=/")
                    .doesNotContain("Domain");
            assertThat(cookieOfLogin(proxied.api(), "x-forwarded-proto", "http"))
                    .doesNotContain("Secure");
            assertWrongTokensAreBraked(proxied.api());
        }
    }

    private static Api.Answer logOut(Api api, String session) {
        Api.Answer page = api.send(page(api, "/").header("cookie", session));
        return post(api, "/logout", Map.of("formToken", formToken(page)), "cookie", session);
    }

    private static String session(Api api, String token) {
        Api.Answer door = api.send(page(api, "/login"));
        Api.Answer in = post(
                api,
                "/login",
                Map.of("token", token, "formToken", formToken(door)),
                "cookie",
                pair(cookie(door, SESSION)));
        assertThat(in.status()).isEqualTo(302);
        return pair(cookie(in, SESSION));
    }

    private static int status(Api api, String session) {
        return api.send(page(api, "/").header("cookie", session)).status();
    }

    private static String create(Api api, String name) {
        return api.post(
                        "/api/v1/tokens",
                        "{\"name\":\"" + name + "\",\"role\":\"submitter\"}",
                        "authorization",
                        "Bearer " + TOKEN)
                .expect(201)
                .get("token")
                .asString();
    }

    @Test
    void aLogoutEndsOneSessionAndARevocationAllOfTheToken() {
        Api api = guarded.api();
        String token = create(api, "ann");
        String one = session(api, token);
        String two = session(api, token);
        String operator = session(api, TOKEN);
        assertThat(logOut(api, one).status()).isEqualTo(302);
        // The cookie is sent again, by somebody who kept it.
        assertThat(status(api, one)).isEqualTo(401);
        assertThat(status(api, two)).isEqualTo(200);
        api.send(api.request("/api/v1/tokens/ann")
                        .header("authorization", "Bearer " + TOKEN)
                        .DELETE())
                .expect(204);
        assertThat(status(api, two)).isEqualTo(401);
        create(api, "ann");
        assertThat(status(api, two)).isEqualTo(401);
        assertThat(status(api, operator)).isEqualTo(200);
        // As after a restart with another token of the operator.
        guarded.jdbc()
                .sql("update browser_session set seal = repeat('0', 64) where caller = '(operator)'")
                .update();
        assertThat(status(api, operator)).isEqualTo(401);
    }

    @Test
    void theDatabaseHasNeitherASessionsIdNorTheTokenItWasOpenedWith() throws Exception {
        Api api = guarded.api();
        String id = session(api, TOKEN).substring(SESSION.length() + 1);
        String rows = String.join(
                "\n",
                guarded.jdbc()
                        .sql("select s::text from browser_session s")
                        .query(String.class)
                        .list());
        assertThat(rows)
                .contains(Sha256.hex(id))
                .doesNotContain(id)
                .doesNotContain(TOKEN)
                .doesNotContain(Sha256.hex(TOKEN));
        // An id is no token.
        assertThat(api.send(page(api, "/").header("authorization", "Bearer " + id))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aSessionEndsAfter30DaysAndTheHundredAndFirstEndsTheFirst() {
        Api api = guarded.api();
        String session = session(api, create(api, "eve"));
        guarded.clock().advance(Duration.ofDays(29));
        assertThat(status(api, session)).isEqualTo(200);
        guarded.clock().advance(Duration.ofDays(1));
        assertThat(status(api, session)).isEqualTo(401);
        KnownSessions kept = guarded.bean(KnownSessions.class);
        Instant now = guarded.clock().instant();
        for (int each = 0; each <= 100; each++) {
            kept.add(
                    new KnownSessions.Session(Sha256.hex("id " + each), "eve", null),
                    now,
                    now.plusSeconds(1000 + each),
                    100);
        }
        assertThat(kept.find(Sha256.hex("id 0"), now)).isEmpty();
        assertThat(kept.find(Sha256.hex("id 1"), now)).isPresent();
        assertThat(kept.find(Sha256.hex("id 100"), now)).isPresent();
    }

    /** Anybody can get a pair of cookie and form token, and a sibling domain can set a cookie of its choice. */
    @Test
    void theFormTokenOfOneBrowserIsOfNoUseInAnother() {
        Api api = guarded.api();
        Api.Answer door = api.send(page(api, "/login"));
        String session = session(api, TOKEN);
        Map<String, String> form = Map.of("shapes", "64x64x64", "formToken", formToken(door));
        assertThat(post(api, "/jobs", form, "cookie", session).status()).isEqualTo(403);
        // Without the key of the service, the cookie does not tell its form token.
        String chosen = "a".repeat(64);
        Map<String, String> unsigned = Map.of("token", TOKEN, "formToken", Sha256.hex("form of " + chosen));
        assertThat(post(api, "/login", unsigned, "cookie", SESSION + "=" + chosen)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void aLinkOpensOneSessionOnceAndForTenMinutes() {
        Api api = guarded.api();
        LoginLink link = guarded.bean(LoginLink.class);
        String secret = link.draw();
        assertThat(api.send(page(api, "/login?link=" + "0".repeat(64))).status())
                .isEqualTo(403);
        Api.Answer in = api.send(page(api, "/login?link=" + secret));
        assertThat(in.status()).isEqualTo(302);
        assertThat(api.send(page(api, "/").header("cookie", pair(cookie(in, SESSION))))
                        .text())
                .contains("(operator), operator");
        Api.Answer again = api.send(page(api, "/login?link=" + secret));
        assertThat(again.status()).isEqualTo(403);
        assertThat(again.text())
                .contains("This link was used, or is older than 10 minutes: log in with the token.", "name=\"token\"");
        String late = link.draw();
        guarded.clock().advance(LoginLink.LIFE);
        assertThat(api.send(page(api, "/login?link=" + late)).status()).isEqualTo(403);
    }

    private static String cookieOfLogin(Api api, String header, String value) {
        Api.Answer door = api.send(page(api, "/login").header(header, value));
        Api.Answer in = post(
                api,
                "/login",
                Map.of("token", TOKEN, "formToken", formToken(door)),
                "cookie",
                pair(onlyCookie(door)),
                header,
                value);
        assertThat(in.status()).isEqualTo(302);
        return onlyCookie(in);
    }

    /** The address that counts is the one that the proxy added, not one that its client made up. */
    private static void assertWrongTokensAreBraked(Api api) {
        for (int each = 0; each < 5; each++) {
            assertThat(logIn(api, "wrong", "203.0.113." + each + ", 198.51.100.7")
                            .status())
                    .isEqualTo(403);
        }
        Api.Answer braked = logIn(api, TOKEN, "198.51.100.7");
        assertThat(braked.status()).isEqualTo(429);
        assertThat(Integer.parseInt(braked.header("retry-after"))).isBetween(1, 10);
        assertThat(braked.text()).contains("Too many wrong tokens were sent: try again in ");
        assertThat(logIn(api, TOKEN, "198.51.100.8").status()).isEqualTo(302);
    }

    private static Api.Answer logIn(Api api, String token, String address) {
        Api.Answer door = api.send(page(api, "/login"));
        return post(
                api,
                "/login",
                Map.of("token", token, "formToken", formToken(door)),
                "cookie",
                pair(onlyCookie(door)),
                "x-forwarded-for",
                address);
    }

    private static String onlyCookie(Api.Answer page) {
        List<String> cookies = page.response().headers().allValues("set-cookie");
        assertThat(cookies).hasSize(1);
        return cookies.getFirst();
    }

    @Test
    void aReaderSeesNoFormAndMaySendNone() {
        Api api = guarded.api();
        Api.Answer made = api.post(
                "/api/v1/tokens", "{\"name\":\"eyes\",\"role\":\"reader\"}", "authorization", "Bearer " + TOKEN);
        String reader = "Bearer " + made.expect(201).get("token").asString();
        Api.Answer page = api.send(page(api, "/").header("authorization", reader));
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.text()).doesNotContain("action=\"/jobs\"");
        String visit = pair(cookie(page, SESSION));
        List<String> forms = forms();
        assertThat(forms).contains("/jobs", "/gates/{name}/schedule").hasSizeGreaterThan(5);
        for (String pattern : forms) {
            String form = pattern.replaceAll("\\{\\w+}", "00000000-0000-4000-8000-000000000001");
            Map<String, String> fields = Map.of("formToken", formToken(page));
            assertThat(post(api, form, fields, "authorization", reader, "cookie", visit)
                            .text())
                    .as(form)
                    .contains("has the role reader");
        }
    }

    /** Where pages send forms to, but for those that everybody may send. */
    private static List<String> forms() {
        return guarded
                .context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .entrySet()
                .stream()
                .filter(handler ->
                        handler.getValue().getBeanType().getPackageName().startsWith("dev.tilewright.api.web"))
                .map(Map.Entry::getKey)
                .filter(mapping -> mapping.getMethodsCondition().getMethods().contains(RequestMethod.POST))
                .flatMap(mapping -> mapping.getPatternValues().stream())
                .filter(path -> !Set.of("/login", "/logout").contains(path))
                .sorted()
                .toList();
    }
}
