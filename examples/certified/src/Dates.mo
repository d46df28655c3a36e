/// Times as text, in UTC.

import Int "mo:core/Int";
import Nat "mo:core/Nat";

module {
  let nanosInMinute = 60_000_000_000;
  let minutesInDay = 1_440;

  /// The day of a time in ns since 1970, such as 2026-11-22.
  public func day(nanos : Int) : Text {
    // Counted in years that begin in March, so that a leap day comes last.
    let days = Int.abs(nanos) / nanosInMinute / minutesInDay + 719_468;
    let era = days / 146_097;
    let ofEra = days % 146_097;
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096 : Nat) / 365;
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100 : Nat) : Nat;
    let shifted = (5 * ofYear + 2) / 153;
    let day = ofYear - (153 * shifted + 2) / 5 + 1 : Nat;
    let month = if (shifted < 10) shifted + 3 else shifted - 9 : Nat;
    let year = yearOfEra + era * 400 + (if (month <= 2) 1 else 0);
    Nat.toText year # "-" # twoDigits month # "-" # twoDigits day;
  };

  /// Day and minute, such as 2026-11-22 16:05 UTC.
  public func minute(nanos : Int) : Text {
    let ofDay = Int.abs(nanos) / nanosInMinute % minutesInDay;
    day nanos # " " # twoDigits(ofDay / 60) # ":" # twoDigits(ofDay % 60) # " UTC";
  };

  func twoDigits(number : Nat) : Text { (if (number < 10) "0" else "") # Nat.toText number };
};
