use super::colour::shown;
use super::*;
use ratatui::style::{Color, Modifier};

const BLACK: (u8, u8, u8) = (0, 0, 0);
const WHITE: (u8, u8, u8) = (255, 255, 255);

/// The contrast a built-in theme promises: on the ground it is made for, and on the other.
fn promised(name: &str, depth: Depth) -> (f64, f64) {
    match (name, depth) {
        // What reaches 10:1 on one ground cannot be readable on the other.
        ("contrast" | "contrast-light", Depth::True) => (10.0, 1.0),
        ("contrast" | "contrast-light", _) => (7.5, 1.0),
        (_, Depth::True) => (5.5, 3.0),
        _ => (3.0, 3.0),
    }
}

#[test]
fn every_scope_of_every_theme_can_be_read_on_black_and_on_white() {
    for name in Themes::default().names() {
        for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
            let theme = Themes::default().load(&name, depth).unwrap();
            let (own, other) = promised(&name, depth);
            let (black, white) = if theme.ground == Ground::Light { (other, own) } else { (own, other) };
            for scope in Scope::ALL {
                let style = theme.style(*scope);
                assert_eq!(style.bg, None, "{name} paints the ground of {}", scope.name());
                let Some(rgb) = style.fg.and_then(shown) else { continue };
                for (ground, least) in [(BLACK, black), (WHITE, white)] {
                    let has = contrast(rgb, ground);
                    assert!(has >= least, "{name} {depth:?} {}: {has:.2} on {ground:?}", scope.name());
                }
            }
        }
    }
}

#[test]
fn contrast_is_the_strongest_theme_on_either_ground() {
    let weakest = |name: &str, depth: Depth, ground| {
        let theme = Themes::default().load(name, depth).unwrap();
        let colors = Scope::ALL.iter().filter_map(|scope| theme.style(*scope).fg.and_then(shown));
        colors.map(|rgb| contrast(rgb, ground)).fold(21.0, f64::min)
    };
    for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
        for (name, plain, ground) in [("contrast", "dark", BLACK), ("contrast-light", "light", WHITE)] {
            let (strong, other) = (weakest(name, depth, ground), weakest(plain, depth, ground));
            assert!(strong > other + 2.0, "{name} {depth:?}: {strong:.1} against {other:.1} of {plain}");
        }
    }
}

#[test]
fn mono_has_no_colour_and_tells_things_apart() {
    let mono = Themes::default().load("mono", Depth::True).unwrap();
    for scope in Scope::ALL {
        assert!(matches!(mono.style(*scope).fg, None | Some(Color::Reset)), "{}", scope.name());
    }
    for (a, b) in [
        (Scope::Selected, Scope::Text),
        (Scope::Selected, Scope::SelectedIdle),
        (Scope::TabOn, Scope::Tab),
        (Scope::TitleFocus, Scope::Title),
        (Scope::Match, Scope::MatchCurrent),
        (Scope::VerdictPassed, Scope::VerdictFailed),
    ] {
        assert_ne!(mono.style(a), mono.style(b), "{} {}", a.name(), b.name());
    }
    assert!(mono.style(Scope::Selected).add_modifier.contains(Modifier::REVERSED));
}

#[test]
fn no_depth_no_colour() {
    let dark = Themes::default().load("dark", Depth::None).unwrap();
    assert!(Scope::ALL.iter().all(|s| matches!(dark.style(*s).fg, None | Some(Color::Reset))));
}

#[test]
fn a_users_theme_overlays_a_built_in_one() {
    let mine = "palette: {blue: \"#ff8800\"}\nscopes: {key: {bold: false, underline: true}, border.focus: red}\n";
    let themes = Themes::new(vec![("dark".into(), mine.into())]);
    let (plain, own) =
        (Themes::default().load("dark", Depth::True).unwrap(), themes.load("dark", Depth::True).unwrap());
    assert_eq!(own.style(Scope::Accent).fg, Some(Color::Rgb(0xff, 0x88, 0)));
    assert_eq!(own.style(Scope::BorderFocus).fg, shown(Color::LightRed).map(|_| Color::Rgb(0xe6, 0x6f, 0x64)));
    assert_eq!(own.style(Scope::Key).add_modifier, Modifier::UNDERLINED);
    assert_eq!(own.style(Scope::Odd), plain.style(Scope::Odd));
    // The overlay of `dark` is about `dark` alone.
    assert_eq!(themes.load("light", Depth::True).unwrap(), Themes::default().load("light", Depth::True).unwrap());
}

#[test]
fn a_new_theme_inherits() {
    let themes = Themes::new(vec![
        ("sea".into(), "inherits: light\nscopes: {accent: {italic: true}}".into()),
        ("deep".into(), "inherits: sea\nscopes: {accent: cyan}".into()),
    ]);
    let deep = themes.load("deep", Depth::True).unwrap();
    assert_eq!(deep.ground, Ground::Light);
    assert_eq!(deep.style(Scope::Accent).fg, Some(Color::Cyan));
    assert_eq!(deep.style(Scope::Accent).add_modifier, Modifier::ITALIC);
    assert_eq!(themes.names(), ["dark", "light", "contrast", "contrast-light", "mono", "sea", "deep"]);
}

#[test]
fn scopes_inherit_before_the_dot() {
    let themes = Themes::new(vec![("x".into(), "inherits: mono\nscopes: {title: {fg: red, dim: true}}".into())]);
    let x = themes.load("x", Depth::True).unwrap();
    assert_eq!(x.style(Scope::TitleFocus).fg, Some(Color::Red));
    assert!(x.style(Scope::TitleFocus).add_modifier.contains(Modifier::DIM | Modifier::UNDERLINED));
}

#[test]
fn wrong_themes_say_what_to_do() {
    let load = |yaml: &str| Themes::new(vec![("x".into(), yaml.into())]).load("x", Depth::True).unwrap_err().0;
    assert_eq!(load("scopes: {titel: red}"), "theme x: unknown scope titel, did you mean title?");
    assert_eq!(load("scopes: {title: blu}"), "theme x: title names an unknown color: blu, did you mean blue?");
    assert!(load("palette: {p: \"#12\"}").contains("palette.p is not a color"));
    assert!(load("colours: {}").contains("unknown field"));
    assert!(load("inherits: x2").contains("unknown theme x2"));
    let themes = Themes::new(vec![("a".into(), "inherits: b".into()), ("b".into(), "inherits: a".into())]);
    assert!(themes.load("a", Depth::True).unwrap_err().0.contains("inherit in a row"));
    assert_eq!(Themes::default().load("darc", Depth::True).unwrap_err().0, "unknown theme darc: did you mean dark?");
}

#[test]
fn depths_are_told_from_the_environment() {
    assert_eq!(Depth::of("truecolor", "xterm-256color"), Depth::True);
    assert_eq!(Depth::of("", "xterm-kitty"), Depth::True);
    assert_eq!(Depth::of("", "screen-256color"), Depth::Indexed);
    assert_eq!(Depth::of("", "linux"), Depth::Sixteen);
    assert_eq!(Depth::of("", "dumb"), Depth::None);
}
